import "server-only";
import { and, eq, exists, inArray, not, or, sql } from "drizzle-orm";
import { runs, turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { onlyWaits } from "@/server/turns/waits/turn-waits";
import { creditParents, waitsSince } from "./run-clock";
import { type OwnedRow, ownedColumns } from "./run-row";

/** Condition on waiting runs whose turn has its results, or works again after a wait. */
export const turnGoesOn = () =>
  exists(
    db()
      .select({ one: sql`1` })
      .from(turns)
      .where(
        and(
          eq(turns.id, runs.turnId),
          or(inArray(turns.status, ["completed", "cancelled"]), and(eq(turns.status, "running"), not(onlyWaits()))),
        ),
      ),
  );

const claimed = () => ({
  status: "running" as const,
  claimedBy: bootId(),
  version: sql`${runs.version} + 1`,
  // Time in which the run waited for people does not count.
  deadlineAt: sql`${runs.deadlineAt} + coalesce(now() - ${runs.waitingSince}, interval '0')`,
  waitingSince: null,
  updatedAt: sql`now()`,
});

/** Claims a run that nobody works on and that can go on. Of any number of replicas one succeeds; the others get null. */
export async function claimRun(runId: string): Promise<OwnedRow | null> {
  const since = await waitsSince(runId);
  const [row] = await db()
    .update(runs)
    .set(claimed())
    .where(and(eq(runs.id, runId), or(eq(runs.status, "queued"), and(eq(runs.status, "waiting"), turnGoesOn()))))
    .returning(ownedColumns);
  if (row && since) await creditParents(row, since);
  return row ?? null;
}

/** Claims a run of a replica that is gone, or of a task of ours that stopped. @returns null when others were faster */
export async function claimOrphan({ id, claimedBy, version }: Pick<OwnedRow, "id" | "claimedBy" | "version">): Promise<OwnedRow | null> {
  if (claimedBy === null) return null;
  const [row] = await db()
    .update(runs)
    .set(claimed())
    .where(and(eq(runs.id, id), eq(runs.status, "running"), eq(runs.claimedBy, claimedBy), eq(runs.version, version)))
    .returning(ownedColumns);
  return row ?? null;
}
