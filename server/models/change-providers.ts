import "server-only";
import { eq, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { type ModelProvider, type ModelProviderDraft, maxProviders } from "@/contracts/models/models";
import type { Db } from "@/db/client";
import { modelProviders, workspaces } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { isUniqueViolation } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";
import { lockProvider, providersInOrder } from "./find-provider";
import { type ProviderRow, presentProvider } from "./present-provider";

type Writer = Authorized<"models:write">;

/** Adds a provider at the end of the fallback chain, its key sealed. @throws AppError `conflict` for a taken name */
export async function createProvider(actor: Writer, { key, ...draft }: ModelProviderDraft): Promise<ModelProvider> {
  const { workspaceId } = actor;
  return db().transaction(async (tx) => {
    await lockChain(tx, workspaceId);
    const others = await providersInOrder(tx, workspaceId);
    if (others.length >= maxProviders)
      throw new AppError("conflict", `A workspace has at most ${maxProviders} model providers. Remove one first.`);
    const position = Math.max(-1, ...others.map((other) => other.position)) + 1;
    const [row] = await tx
      .insert(modelProviders)
      .values({ ...draft, workspaceId, position, keySealed: key == null ? null : seal(key) })
      .onConflictDoNothing({ target: [modelProviders.workspaceId, modelProviders.name] })
      .returning();
    if (!row) throw taken(draft.name);
    await audit(tx, actor, "model_provider.created", row.id, inAudit(row));
    return presentProvider(row);
  });
}

/**
 * Replaces a provider; without a key the stored one stays. `version`: from If-Match.
 * @throws AppError `invalid` for another origin without its key, `conflict` for a taken name
 */
export async function updateProvider(
  actor: Writer,
  id: string,
  { key, ...draft }: ModelProviderDraft,
  version: number | null,
): Promise<ModelProvider> {
  const change = db().transaction(async (tx) => {
    const before = await lockProvider(tx, actor.workspaceId, id, version);
    if (key === undefined) assertKeyBelongs(before, draft.baseUrl);
    const [row] = await tx
      .update(modelProviders)
      .set({
        ...draft,
        ...(key === undefined ? {} : { keySealed: key === null ? null : seal(key) }),
        version: sql`${modelProviders.version} + 1`,
      })
      .where(eq(modelProviders.id, id))
      .returning();
    if (!row) throw new Error("A locked model provider was not updated");
    await audit(tx, actor, "model_provider.updated", id, { ...inAudit(row), keyChanged: key !== undefined, before: inAudit(before) });
    return presentProvider(row);
  });
  return change.catch((error: unknown) => {
    throw isUniqueViolation(error) ? taken(draft.name) : error;
  });
}

/** Removes a provider and its key. `version`: from If-Match. @throws AppError `not_found`, `stale_version` */
export async function removeProvider(actor: Writer, id: string, version: number | null): Promise<void> {
  await db().transaction(async (tx) => {
    const row = await lockProvider(tx, actor.workspaceId, id, version);
    await tx.delete(modelProviders).where(eq(modelProviders.id, id));
    await audit(tx, actor, "model_provider.removed", id, inAudit(row));
  });
}

/**
 * Sets the fallback chain to the order of `ids`.
 * @throws AppError `invalid` for a repeated id, `conflict` when the ids are not exactly the existing providers
 */
export async function orderProviders(actor: Writer, ids: readonly string[]): Promise<{ items: ModelProvider[]; nextCursor: null }> {
  if (new Set(ids).size !== ids.length) {
    const message = "name each provider once";
    throw new AppError("invalid", "The order names a provider twice. Name each provider once.", { errors: [{ path: "ids", message }] });
  }
  return db().transaction(async (tx) => {
    await lockChain(tx, actor.workspaceId);
    const before = await providersInOrder(tx, actor.workspaceId);
    const known = new Set(before.map(({ id }) => id));
    if (ids.length !== before.length || ids.some((id) => !known.has(id)))
      throw new AppError("conflict", "The providers are not those of your list any more. Reload the list, then repeat your change.");
    for (const { id, position } of before) {
      const place = ids.indexOf(id);
      if (place === position) continue;
      const change = { position: place, version: sql`${modelProviders.version} + 1` };
      await tx.update(modelProviders).set(change).where(eq(modelProviders.id, id));
    }
    await audit(tx, actor, "model_providers.reordered", null, { old: before.map(({ id }) => id), new: [...ids] });
    return { items: (await providersInOrder(tx, actor.workspaceId)).map(presentProvider), nextCursor: null };
  });
}

/**
 * Checks that a stored key goes to its own origin only: otherwise whoever may change providers could have it sent to a
 * server of their choice. @throws AppError `invalid`
 */
export function assertKeyBelongs({ baseUrl, keySealed }: ProviderRow, usedAt: string): void {
  const { origin } = new URL(baseUrl);
  if (keySealed === null || origin === new URL(usedAt).origin) return;
  const message = `is needed again, because the stored one belongs to ${origin}`;
  throw new AppError("invalid", `The model provider is not valid: key ${message}`, { errors: [{ path: "key", message }] });
}

/** Changes of the chain wait for each other, so that no two providers take the same place. */
async function lockChain(tx: Db, workspaceId: string): Promise<void> {
  await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)).for("no key update");
}

const inAudit = ({ name, kind, baseUrl, enabled, models }: ProviderRow): JsonObject => ({
  name,
  kind,
  baseUrl,
  enabled,
  models: models.map((model) => ({ ...model })),
});

type Event = "model_provider.created" | "model_provider.updated" | "model_provider.removed" | "model_providers.reordered";

async function audit(tx: Db, actor: Writer, event: Event, subject: string | null, data: JsonObject): Promise<void> {
  await recordConfigChange(tx, {
    workspaceId: actor.workspaceId,
    event,
    actor: toActorRef(actor),
    subject,
    data,
    requestId: actor.requestId,
  });
}

const taken = (name: string) => new AppError("conflict", `A model provider named "${name}" exists already. Choose another name.`);
