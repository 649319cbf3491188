import "server-only";
import { and, eq } from "drizzle-orm";
import type { ApiKeyDraft, CreatedApiKey } from "@/contracts/identity/identity";
import { type Permission, withImplied } from "@/contracts/permissions";
import type { Db } from "@/db/client";
import { agents, apiKeys } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { type Actor, type Authorized, toActorRef } from "../actor";
import { isAbove, loadActorLimits, refuseMoreEffects, refuseMoreTrust } from "../actor-limits";
import { createApiKeySecret } from "./api-key-secret";
import { presentApiKey } from "./present-api-key";

/**
 * Creates an API key; only this answer contains the key itself. Omitted effects default to the actor's own; an omitted
 * trust class defaults to `gateway`, or to the actor's own class when that is lower.
 * @throws AppError `forbidden` for scopes, effects, trust or an agent beyond the actor's own, `invalid` for a key that could answer the
 * questions of its own turns, `invalid` for an agent that is not there or an expiry that has passed.
 */
export async function createApiKey(actor: Authorized<"admin">, draft: ApiKeyDraft): Promise<CreatedApiKey> {
  const { row, key } = await db().transaction((tx) => insertApiKey(tx, actor, draft));
  return { ...presentApiKey(row), key };
}

/** Inserts an API key with its audit event; the checks and errors are those of `createApiKey`. */
export async function insertApiKey(tx: Db, actor: Actor, draft: ApiKeyDraft): Promise<{ row: typeof apiKeys.$inferSelect; key: string }> {
  const scopes = [...new Set(draft.scopes)];
  const beyond = scopes.filter((scope) => !actor.permissions.has(scope));
  if (beyond.length > 0) throw new AppError("forbidden", `You cannot grant permissions that you do not have: ${beyond.join(", ")}.`);
  const agentId = draft.agentId ?? actor.agentId;
  if (actor.agentId && agentId !== actor.agentId) {
    throw new AppError("forbidden", "Your key is bound to one agent, and so is every key that you create. Leave out agentId.");
  }
  refuseDecidingForItself({ scopes, agentId });

  const expiresAt = draft.expiresAt ? new Date(draft.expiresAt) : null;
  if (expiresAt && expiresAt.getTime() <= sharedNowMs())
    throw refusal("expiresAt", "The expiry has passed already. Choose a later moment.");

  const own = await loadActorLimits(tx, actor);
  const allowedEffects = draft.allowedEffects === undefined ? own.allowedEffects : draft.allowedEffects;
  const trustClass = draft.trustClass ?? (isAbove(own.trustClass, "gateway") ? "gateway" : own.trustClass);
  refuseMoreEffects(own, allowedEffects);
  refuseMoreTrust(own, trustClass);
  if (agentId) {
    const [agent] = await tx
      .select({ id: agents.id })
      .from(agents)
      .where(and(eq(agents.workspaceId, actor.workspaceId), eq(agents.id, agentId)));
    if (!agent) throw refusal("agentId", "There is no such agent in this workspace. Choose one of GET /api/v1/agents.");
  }
  const secret = createApiKeySecret();
  const [row] = await tx
    .insert(apiKeys)
    .values({
      workspaceId: actor.workspaceId,
      name: draft.name,
      prefix: secret.prefix,
      hash: secret.hash,
      scopes,
      agentId,
      allowedEffects: allowedEffects && [...allowedEffects],
      trustClass,
      createdBy: toActorRef(actor),
      expiresAt,
    })
    .returning();
  if (!row) throw new Error("The key was not inserted");
  const { name, prefix } = row;
  await recordConfigChange(tx, {
    workspaceId: actor.workspaceId,
    event: "api_key.created",
    actor,
    subject: row.id,
    data: { name, prefix, scopes, agentId, allowedEffects: row.allowedEffects, trustClass, expiresAt: expiresAt?.toISOString() ?? null },
    requestId: actor.requestId,
  });
  return { row, key: secret.key };
}

/** Refuses scopes with which a key could approve the turns that it submits. */
function refuseDecidingForItself({ scopes, agentId }: { scopes: readonly Permission[]; agentId: string | null }): void {
  if (!withImplied(scopes).has("approvals:decide")) return;
  const through = scopes.includes("approvals:decide") ? "" : " (admin includes it)";
  if (agentId) {
    throw refusal(
      "scopes",
      `A key of an agent cannot have the scope approvals:decide${through}: an agent never answers its own questions.`,
    );
  }
  if (scopes.includes("turns:write")) {
    throw refusal(
      "scopes",
      `A key cannot have both turns:write and approvals:decide${through}: who submits turns never answers their questions. Make two keys.`,
    );
  }
}

function refusal(path: string, message: string): AppError {
  return new AppError("invalid", message, { errors: [{ path, message }] });
}
