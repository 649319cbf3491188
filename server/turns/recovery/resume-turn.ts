import "server-only";
import { and, eq, gt, sql } from "drizzle-orm";
import { turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { onSignal } from "@/server/platform/signals/bus";
import { findTurnTask } from "../active-turns";
import { storedTurn } from "../live-turn";
import { loadAnswered } from "../read/load-turn";
import { runTurn } from "../run-turn";
import { restartTurn } from "../transitions/restart-turn";

/**
 * Resumes a suspended turn on this replica when an answer came. The first write claims the turn by one conditional update,
 * together with the changes of its first step, so that one of any number of attempts goes on.
 */
export async function resumeTurn(turnId: string): Promise<void> {
  for (;;) {
    // A task reads answers that come while it works. One that has just suspended the turn, or lost it to this answer
    // before its first write, leaves the answer behind.
    await findTurnTask(turnId)?.rested.catch(() => {});
    const loaded = await loadAnswered(turnId);
    if (loaded?.turn.status !== "suspended" || loaded.turn.answeredAt === null) return;
    // Resumed meanwhile, maybe without this answer.
    if (findTurnTask(turnId)) continue;
    const live = storedTurn(loaded.turn, loaded.calls);
    restartTurn(live);
    runTurn(live, { answers: loaded.answers });
    return;
  }
}

/** Resumes turns on a signal of another replica; `resumeAnswered` is the safety net for lost signals. */
export function resumeOnSignal(): () => void {
  return onSignal("resume", ({ turnId, by }) => {
    if (by === bootId()) return;
    resumeTurn(turnId).catch((error) => log().warn({ err: error, turnId }, "a turn was not resumed at once; it is tried again"));
  });
}

/** Maximum of turns that are resumed in one pass. */
const atOnce = 200;

/** Last turn of the previous pass when that pass left turns over; null otherwise. */
const looked = () => processWide<{ upTo: string | null }>("answeredTurns", () => ({ upTo: null }));

/**
 * Resumes answered turns that no replica has resumed, because the signal or its receiver was lost. The next pass
 * continues behind the last turn, so that many turns that cannot resume do not delay the rest.
 * @param afterMs time in milliseconds that other replicas get to resume a turn first
 */
export async function resumeAnswered({ afterMs }: { afterMs: number }): Promise<void> {
  const { upTo } = looked();
  const isDue = sql`${turns.answeredAt} <= now() - make_interval(secs => ${afterMs / 1_000})`;
  const answered = await db()
    .select({ id: turns.id })
    .from(turns)
    .where(and(eq(turns.status, "suspended"), isDue, upTo ? gt(turns.id, upTo) : undefined))
    .orderBy(turns.id)
    .limit(atOnce);
  looked().upTo = answered.length === atOnce ? (answered.at(-1)?.id ?? null) : null;
  // A turn that cannot be resumed must not delay the rest, and neither must one whose task is still at work.
  for (const { id } of answered) {
    if (findTurnTask(id)) continue;
    await resumeTurn(id).catch((error) => log().error({ err: error, turnId: id }, "a turn could not be resumed yet"));
  }
}
