import "server-only";
import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditCheckpoint } from "@/contracts/audit/audit-proof";
import { auditCheckpoints } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { publishEvents } from "@/server/platform/extension-points/outbox";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { sealText } from "./format/seal";
import { readHead } from "./read-sealed";

type Row = typeof auditCheckpoints.$inferSelect;

/** The file of checkpoints in the data folder, a line of JSON each. */
export const checkpointFile = () => path.join(env().dataDir, "audit-checkpoints.ndjson");

/** Lists the checkpoints of the actor's workspace, newest first. */
export async function listCheckpoints(
  { workspaceId }: Authorized<"audit:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<{ items: AuditCheckpoint[]; nextCursor: string | null }> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor, z.tuple([z.number().int()]))[0];
  const found = await db()
    .select()
    .from(auditCheckpoints)
    .where(and(eq(auditCheckpoints.workspaceId, workspaceId), before === undefined ? undefined : lt(auditCheckpoints.number, before)))
    .orderBy(desc(auditCheckpoints.number))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ number }) => [number]);
  return { items: rows.map(present), nextCursor };
}

function present({ workspaceId: _, createdAt, ...row }: Row): AuditCheckpoint {
  return { ...row, createdAt: createdAt.toISOString() };
}

/** Makes the checkpoints that are due: for each workspace with new seals and no checkpoint of today (UTC). */
export async function makeDueCheckpoints(): Promise<void> {
  const due = await db().execute<{ workspaceId: string }>(sql`
    select w.id as "workspaceId" from workspaces w
    cross join lateral (select number from audit_seals s where s.workspace_id = w.id order by number desc limit 1) head
    left join lateral (select number, created_at from audit_checkpoints c where c.workspace_id = w.id order by number desc limit 1) last on true
    where last.number is null
      or (head.number > last.number and date_trunc('day', last.created_at at time zone 'UTC') < date_trunc('day', now() at time zone 'UTC'))`);
  for (const { workspaceId } of due) await makeCheckpoint(workspaceId);
}

async function makeCheckpoint(workspaceId: string): Promise<void> {
  const head = await readHead(workspaceId);
  if (!head) return;
  const { number, hash, signature, publicKey } = head;
  const seal = sealText({ ...head, through: head.through.toISOString(), sealedAt: head.sealedAt.toISOString() });
  const values = { id: newId(), workspaceId, number, total: head.firstPlace + head.rows - 1, hash, seal, signature, publicKey };
  const made = await db().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`audit-checkpoint:${workspaceId}`}, 0))`);
    const [known] = await tx
      .select({ id: auditCheckpoints.id })
      .from(auditCheckpoints)
      .where(and(eq(auditCheckpoints.workspaceId, workspaceId), eq(auditCheckpoints.number, number)));
    if (known) return null;
    const [row] = await tx
      .insert(auditCheckpoints)
      .values({ ...values, createdAt: sql`now()` })
      .returning();
    if (!row) throw new Error("The checkpoint was not stored");
    await publishEvents(tx, [{ workspaceId, event: "audit.checkpointed", payload: present(row) }]);
    return row;
  });
  if (made) await writeToFile(present(made), workspaceId);
}

async function writeToFile(checkpoint: AuditCheckpoint, workspaceId: string): Promise<void> {
  try {
    await mkdir(path.dirname(checkpointFile()), { recursive: true });
    await appendFile(checkpointFile(), `${JSON.stringify({ format: "handrail-checkpoint-1", workspaceId, ...checkpoint })}\n`, {
      mode: 0o600,
    });
  } catch (error) {
    log().warn({ err: error, file: checkpointFile() }, "the checkpoint of the audit was not written to its file; it is in the database");
  }
}
