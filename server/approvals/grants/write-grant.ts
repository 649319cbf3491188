import "server-only";
import { eq, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { grants, guardConfig } from "@/db/schema";
import { maskedArguments } from "@/server/audit/kept-arguments";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { computeDigest } from "@/server/guard/matching/compile-rule";
import { maskSecrets } from "@/server/secrets/mask-secrets";

export type GrantRow = typeof grants.$inferSelect;
export type NewGrant = Omit<typeof grants.$inferInsert, "id" | "workspaceId" | "grantedBy" | "createdAt">;

/** Writes a checked grant and its audit row. Call `policyChanged` after the transaction. */
export async function writeGrant(tx: Db, actor: Actor, grant: NewGrant): Promise<GrantRow> {
  const { workspaceId } = actor;
  const [row] = await tx
    .insert(grants)
    .values({ ...grant, match: keptMatch(grant.match), workspaceId, grantedBy: toActorRef(actor) })
    .returning();
  if (!row) throw new Error("the grant was not inserted");
  await grantsChanged(tx, actor, "grant.created", [row]);
  return row;
}

/** Masks secrets in exact arguments and adds the digest of the original, which is enough to match the call again. */
function keptMatch(match: NewGrant["match"]): NewGrant["match"] {
  if (match.kind !== "exact") return match;
  const masked = maskedArguments(match.arguments);
  return masked === match.arguments ? match : { kind: "exact", arguments: masked, digest: computeDigest(match.arguments) };
}

/** Increments the workspace's grants version, so that cached policies are read again, and records the change. */
export async function grantsChanged(
  tx: Db,
  actor: Pick<Actor, "workspaceId" | "requestId" | "type" | "id" | "name">,
  event: "grant.created" | "grant.revoked",
  rows: readonly GrantRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { workspaceId, requestId } = actor;
  await tx
    .update(guardConfig)
    .set({ grantsVersion: sql`${guardConfig.grantsVersion} + 1` })
    .where(eq(guardConfig.workspaceId, workspaceId));
  await recordConfigChange(
    tx,
    ...rows.map((row) => ({
      workspaceId,
      event,
      actor: toActorRef(actor),
      subject: row.id,
      tool: row.tool,
      conversationId: row.scope === "conversation" ? row.scopeId : null,
      data: inAudit(row),
      requestId,
    })),
  );
}

function inAudit({ scope, scopeId, match, contents, maxSeverity, kind, expiresAt, note, approvalId, uses }: GrantRow): JsonObject {
  return {
    scope,
    scopeId,
    match: maskSecrets(match as JsonObject),
    ...(contents ? { files: contents.files.map(({ path, sha256 }) => ({ path, sha256 })) } : {}),
    maxSeverity,
    kind,
    expiresAt: expiresAt?.toISOString() ?? null,
    note,
    approvalId,
    uses,
  };
}
