import "server-only";
import { and, eq } from "drizzle-orm";
import type { Delegate, DelegateDraft } from "@/contracts/agents/delegate";
import type { Db } from "@/db/client";
import { agents, delegates } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { isPrivateAsWritten } from "@/server/capabilities/public-address";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { type DelegateRow, findDelegate, presentDelegate } from "./delegate-row";
import { delegateAllowPrivate } from "./environment";

/** Returns the settings of core_execute's pipeline, without its secret. */
export async function getDelegate(actor: Authorized<"tools:read">): Promise<Delegate> {
  return presentDelegate(await findDelegate(db(), actor.workspaceId));
}

/**
 * Sets up the pipeline, or replaces its settings.
 * @param version from If-Match
 * @throws AppError `stale_version`, `invalid` for a private address
 */
export async function setDelegate(actor: Authorized<"tools:write">, draft: DelegateDraft, version: number | null): Promise<Delegate> {
  if (draft.url !== null) assertPublicAddress(draft.url);
  const { workspaceId } = actor;
  const row = await db().transaction(async (tx) => {
    if (draft.agentId !== null) await assertAgent(tx, workspaceId, draft.agentId);
    const [before] = await tx.select().from(delegates).where(eq(delegates.workspaceId, workspaceId)).for("update");
    if (version !== null && version !== (before?.version ?? 0)) {
      throw new AppError("stale_version", "Somebody changed the pipeline meanwhile. Reload the pipeline, then repeat your change.");
    }
    const { url, agentId, timeoutSeconds, enabled } = draft;
    const content = { url, agentId, timeoutSeconds, enabled, secret: secretOf(draft, before), version: (before?.version ?? 0) + 1 };
    const [saved] = await tx
      .insert(delegates)
      .values({ ...content, workspaceId })
      .onConflictDoUpdate({ target: delegates.workspaceId, set: { ...content, updatedAt: sharedNow() } })
      .returning();
    if (!saved) throw new Error("the pipeline was not saved");
    await recordConfigChange(tx, {
      workspaceId,
      event: "delegate.updated",
      actor: toActorRef(actor),
      subject: null,
      data: { new: inAudit(saved), old: before ? inAudit(before) : null },
      requestId: actor.requestId,
    });
    return saved;
  });
  return presentDelegate(row);
}

/** Disconnects the pipeline. */
export async function removeDelegate(actor: Authorized<"tools:write">): Promise<Record<string, never>> {
  const { workspaceId } = actor;
  await db().transaction(async (tx) => {
    const [removed] = await tx.delete(delegates).where(eq(delegates.workspaceId, workspaceId)).returning();
    if (!removed) throw new AppError("not_found", "No pipeline is set up, so there is nothing to disconnect.");
    await recordConfigChange(tx, {
      workspaceId,
      event: "delegate.removed",
      actor: toActorRef(actor),
      subject: null,
      data: { old: inAudit(removed) },
      requestId: actor.requestId,
    });
  });
  return {};
}

function inAudit({ url, agentId, timeoutSeconds, enabled, secret }: DelegateRow) {
  return { url, agentId, timeoutSeconds, enabled, hasSecret: secret !== null };
}

/** Keeps a stored secret only while the URL's origin stays the same, so that a changed address never receives it. */
function secretOf({ url, secret }: DelegateDraft, before: DelegateRow | undefined): string | null {
  if (url === null) return null;
  if (secret !== undefined) return secret === null ? null : seal(secret);
  return before?.url && new URL(before.url).origin === new URL(url).origin ? before.secret : null;
}

/** @throws AppError `invalid` when the agent is not one of the workspace */
async function assertAgent(tx: Db, workspaceId: string, agentId: string): Promise<void> {
  const [agent] = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), eq(agents.id, agentId)));
  if (agent) return;
  const sentence = "There is no such agent in this workspace. GET /api/v1/agents lists them.";
  throw new AppError("invalid", sentence, { errors: [{ path: "agentId", message: sentence }] });
}

/** Refuses an address that is private as written. The address of a host name is checked on each connection. */
function assertPublicAddress(url: string): void {
  if (delegateAllowPrivate.value()) return;
  const { hostname, host } = new URL(url);
  if (!isPrivateAsWritten(hostname)) return;
  const sentence = `${host} is a private or local address. Set ${delegateAllowPrivate.name}=true where Handrail runs, if the pipeline belongs there.`;
  throw new AppError("invalid", sentence, { errors: [{ path: "url", message: sentence }] });
}
