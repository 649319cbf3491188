import "server-only";
import { and, eq } from "drizzle-orm";
import { runs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { onSignal } from "@/server/platform/signals/bus";
import { findTurnTask } from "@/server/turns/active-turns";
import { provideDurableWait } from "@/server/turns/waits/durable-waits";
import { continueRun } from "./drive-run";
import { runWait } from "./read/await-run";
import { listenForFollowers } from "./read/remote-text";
import { turnKeyPrefix } from "./turn-results";

/**
 * Wakes a run when its turn comes to rest in this process, or works again after a wait. Turns of other runtimes cost nothing here;
 * a turn that ends without a task, or on a replica that dies, is found by `recoverRuns`. Calls can wait for runs from now on.
 */
export function wakeRunsOnSignal(): () => void {
  provideDurableWait(runWait);
  listenForFollowers();
  return onSignal("turn", ({ turnId, rests, waits }) => {
    if (!(rests || waits === false) || !findTurnTask(turnId)?.live.turn.idempotencyKey?.startsWith(turnKeyPrefix)) return;
    wakeRunOf(turnId).catch((error) => log().warn({ err: error, turnId }, "a run was not woken at once; it is tried again"));
  });
}

async function wakeRunOf(turnId: string): Promise<void> {
  const [run] = await db()
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.turnId, turnId), eq(runs.status, "waiting")));
  if (run) await continueRun(run.id);
}
