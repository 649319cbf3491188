import "server-only";
import { sql } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { onSignal } from "@/server/platform/signals/bus";
import { heartbeatSeconds } from "./engine";
import { type HandledQueue, runQueue } from "./run-queue";
import { workItems } from "./work-items";

/** Interval of the search for due items: the longest delay of an item that becomes due later or whose signal is lost. */
const pollIntervalMs = 1_000;
const touchMs = (heartbeatSeconds * 1_000) / 3;
/** Time that active items get to end when the process stops. */
const patienceAtStopMs = 5_000;

/** Starts a runner for each queue. Returns a function that stops the runners, waits a moment for active items and gives the rest back. */
export async function startWorkers(boss: PgBoss, handlers: readonly HandledQueue[]): Promise<() => Promise<void>> {
  for (const { queue } of handlers) if (queue.schedule) await boss.schedule(queue.name, queue.schedule);
  const runners = new Map(handlers.map((handler) => [handler.queue.name as string, runQueue(boss, handler)]));
  const stopListening = onSignal("work", ({ queue }) => void runners.get(queue)?.look());
  const lookAtDue = async () => {
    for (const name of await queuesWithDueItems([...runners.keys()])) void runners.get(name)?.look();
  };
  const every = (ms: number, work: () => Promise<unknown>, what: string) =>
    setInterval(() => void work().catch((error) => log().debug({ err: error }, what)), ms);
  const looking = every(pollIntervalMs, lookAtDue, "due work could not be read");
  const touching = every(touchMs, () => Promise.all([...runners.values()].map((runner) => runner.touch())), "no heartbeat of work");
  return async () => {
    clearInterval(looking);
    stopListening();
    const all = [...runners.values()];
    for (const runner of all) runner.stop();
    const patience = new Promise((resolve) => setTimeout(resolve, patienceAtStopMs).unref());
    await Promise.race([Promise.all(all.map((runner) => runner.settled())), patience]);
    clearInterval(touching);
    await Promise.all(all.map((runner) => runner.giveBack()));
  };
}

/** Finds the queues with due items in one statement, because scheduled items and retries send no signal when they become due. */
async function queuesWithDueItems(names: readonly string[]): Promise<string[]> {
  const rows = await db().execute<{ name: string }>(sql`
    select queue.name from unnest(${sql.param([...names])}::text[]) as queue (name) where exists (
      select from ${workItems} as item
      where item.name = queue.name and item.state < 'active' and not item.blocked and item.start_after <= now())`);
  return rows.map(({ name }) => name);
}
