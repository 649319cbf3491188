import "server-only";
import { and, eq, gt, sql } from "drizzle-orm";
import { turns } from "@/db/schema";
import { onSignal } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { resume } from "./arrows/resume";
import { storedTurn } from "./live-turn";
import { loadAnswered } from "./load-turn";
import { runTurn } from "./run-turn";
import { workOn } from "./working-turns";

/**
 * Takes up a suspended turn on this replica. Its first step claims it together with what that step does, by one
 * conditional update, so that of any number of attempts for one decision a single one goes on.
 */
export async function resumeTurn(turnId: string): Promise<void> {
  const before = workOn(turnId);
  // What has just been suspended here leaves in a moment; anything else is work under way, which looks for itself.
  if (before?.live.turn.status === "suspended") await before.rested.catch(() => {});
  const loaded = await loadAnswered(turnId);
  if (loaded?.turn.status !== "suspended" || workOn(turnId)) return;
  const live = storedTurn(loaded.turn, loaded.calls);
  resume(live);
  runTurn(live, { answers: loaded.answers });
}

/** Takes up turns as soon as their answer comes, on whichever replica; `resumeAnswered` stands behind it. */
export function resumeOnSignal(): () => void {
  return onSignal("resume", ({ turnId, by }) => {
    if (by === bootId()) return;
    resumeTurn(turnId).catch((error) => log().warn({ err: error, turnId }, "a turn was not resumed at once; it is tried again"));
  });
}

/** Turns that are taken up in one go. */
const atOnce = 200;

/** Up to which turn was looked last, where more were left for the next time. */
const looked = () => processWide<{ upTo: string | null }>("answeredTurns", () => ({ upTo: null }));

/**
 * Takes up turns that have their answer and that nobody has taken up: the signal got lost, or whoever heard it. What is
 * left over comes the next time, before those that were tried already: many that cannot go on keep none of the others waiting.
 * @param afterMs how long others get to do it first
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
  // One that cannot be taken up keeps none of the others waiting.
  for (const { id } of answered) {
    await resumeTurn(id).catch((error) => log().error({ err: error, turnId: id }, "a turn could not be resumed yet"));
  }
}
