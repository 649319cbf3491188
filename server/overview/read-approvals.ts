import "server-only";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Overview } from "@/contracts/operations/overview";
import { approvals } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { idAt } from "@/server/platform/id-at";
import type { TimeRange } from "./time-range";

const maxNext = 3;

type Waited = { decided: string; p50: number | null; p95: number | null };

/** Counts pending approvals, lists those that expire next, and computes how long people took to decide in the range. */
export async function readApprovals(workspaceId: string, { from, to }: TimeRange): Promise<Overview["approvals"]> {
  const isPending = and(eq(approvals.workspaceId, workspaceId), eq(approvals.status, "pending"));
  const { id, kind, summary, toolName: tool, agent, expiresAt } = approvals;
  const [pending, next, [waited]] = await Promise.all([
    db().$count(approvals, isPending),
    db().select({ id, kind, summary, tool, agent, expiresAt }).from(approvals).where(isPending).orderBy(asc(expiresAt)).limit(maxNext),
    db().execute<Waited>(sql`
      select count(*) as decided, percentile_cont(0.5) within group (order by waited) as p50,
        percentile_cont(0.95) within group (order by waited) as p95
      from (
        select extract(epoch from decided_at - requested_at)::float8 as waited from approvals
        where workspace_id = ${workspaceId} and status in ('approved', 'rejected') and decided_at is not null
          and id >= ${idAt(from, "0")} and id <= ${idAt(to - 1, "f")}
      ) as approval`),
  ]);
  const rounded = (seconds: number) => Math.round(seconds * 10) / 10;
  return {
    pending,
    nextToExpire: next.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() })),
    decided: Number(waited?.decided ?? 0),
    waitSeconds: waited && waited.p50 !== null && waited.p95 !== null ? { p50: rounded(waited.p50), p95: rounded(waited.p95) } : null,
  };
}
