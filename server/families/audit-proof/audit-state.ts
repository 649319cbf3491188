import "server-only";
import { eq, sql, sum } from "drizzle-orm";
import type { AuditBreak, AuditState } from "@/contracts/audit/audit-proof";
import { auditArchives, auditVerifications } from "@/db/schema";
import { inUse } from "@/server/audit-log/archive/find-archives";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { readHead } from "./read-sealed";
import { publicKey } from "./signing-key";

/** Tells how far the audit of the actor's workspace is sealed. */
export async function readAuditState({ workspaceId }: Authorized<"audit:read">): Promise<AuditState> {
  const [head, [verification], [archived]] = await Promise.all([
    readHead(workspaceId),
    db().select().from(auditVerifications).where(eq(auditVerifications.workspaceId, workspaceId)),
    db()
      .select({ rows: sum(auditArchives.rows).mapWith(Number) })
      .from(auditArchives)
      .where(inUse(workspaceId)),
  ]);
  return {
    sealedThrough: head?.sealedAt.toISOString() ?? null,
    sealedRows: head ? head.firstPlace + head.rows - 1 : 0,
    archivedRows: archived?.rows ?? 0,
    waitingSince: await oldestWaiting(workspaceId, head),
    publicKey: publicKey(),
    lastVerification: verification
      ? { at: verification.verifiedAt.toISOString(), ok: verification.ok, rows: verification.rows, sentence: verification.sentence }
      : null,
  };
}

/** Returns the time of the first row behind the last seal; null when there is none. */
export async function oldestWaiting(workspaceId: string, head: { lastXid: bigint; lastId: string } | null): Promise<string | null> {
  const xid = String(head?.lastXid ?? -1);
  const id = head?.lastId ?? "00000000-0000-0000-0000-000000000000";
  const [row] = await db().execute<{ at: number }>(sql`
    select (extract(epoch from at) * 1000)::float8 as at from audit_events
    where workspace_id = ${workspaceId} and (xid, id) > (${xid}::int8, ${id}::uuid) order by xid, id limit 1`);
  return row ? new Date(row.at).toISOString() : null;
}

/** Stores how the last whole verification of a workspace ended. */
export async function noteVerification(
  workspaceId: string,
  { rows, brokenAt }: { rows: number; brokenAt: AuditBreak | null },
): Promise<void> {
  const values = { ok: brokenAt === null, rows, sentence: brokenAt?.sentence ?? null, verifiedAt: sql`now()` };
  await db()
    .insert(auditVerifications)
    .values({ workspaceId, ...values })
    .onConflictDoUpdate({ target: auditVerifications.workspaceId, set: values });
}
