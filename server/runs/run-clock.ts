import "server-only";
import { eq, sql } from "drizzle-orm";
import { runs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import type { OwnedRow } from "./run-row";

/** Longest time of a Node timer. */
const maxMs = 2_147_483_647;
/** Interval at which a run whose time is up is looked at again, while a child waits for people. */
const lookAgainMs = 2_000;

/**
 * Starts the clock of a run. Time in which a child of the run waits for people does not count: it is added when the child
 * goes on (`creditParents`), and until then the run's end is put off.
 * @returns how to stop the clock
 */
export function startRunClock(run: OwnedRow, onTimeUp: () => void): () => void {
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const look = async () => {
    const left = await timeLeft(run).catch((error) => {
      log().warn({ err: error, runId: run.id }, "the time of a run could not be read; it is read again");
      return lookAgainMs;
    });
    if (isStopped) return;
    if (left > 0) start(left);
    else onTimeUp();
  };
  const start = (left: number) => {
    timer = setTimeout(look, Math.min(left, maxMs));
  };
  start(run.remainingMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Milliseconds that a run has left; a short time while a child below it waits for people. */
async function timeLeft({ id, conversationId }: OwnedRow): Promise<number> {
  const [row] = await db().execute<{ left: number; waits: boolean }>(sql`
    with recursive below as (
      select id from conversations where parent_conversation_id = ${conversationId}
      union all
      select child.id from conversations child join below on child.parent_conversation_id = below.id
    )
    select greatest(0, extract(epoch from deadline_at - now()) * 1000)::float8 as "left",
      exists (select 1 from runs child where child.conversation_id in (select id from below) and child.status = 'waiting') as "waits"
    from runs where id = ${id}`);
  if (!row) return 0;
  return row.left <= 0 && row.waits ? lookAgainMs : row.left;
}

/** Reads since when a run waits for people; null when it does not. */
export async function waitsSince(runId: string): Promise<Date | null> {
  const [row] = await db().select({ since: runs.waitingSince, depth: runs.depth }).from(runs).where(eq(runs.id, runId));
  return row && row.depth > 0 ? row.since : null;
}

/** Adds the time in which a child waited for people to the runs that wait for it. Waits that overlap count once. */
export async function creditParents({ conversationId }: Pick<OwnedRow, "conversationId">, since: Date): Promise<void> {
  const from = since.toISOString();
  await db().execute(sql`
    with recursive above as (
      select parent_conversation_id as id from conversations where id = ${conversationId}
      union all
      select parent.parent_conversation_id from conversations parent join above on parent.id = above.id
    )
    update runs set
      deadline_at = deadline_at + greatest(interval '0', now() - greatest(${from}::timestamptz, coalesce(credited_until, ${from}::timestamptz))),
      credited_until = now()
    where status = 'running' and conversation_id in (select id from above where id is not null)`);
}
