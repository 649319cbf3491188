import "server-only";
import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss } from "pg-boss";
import type postgres from "postgres";
import { connect, type Db } from "@/db/client";
import { databaseUrl } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { type NewWorkItem, provideEngine, type Queue } from "@/server/platform/queue";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { fromPostgres } from "./postgres-adapter";
import { bossSchema } from "./work-items";

/** Time without a heartbeat after which a process counts as dead and another process takes its items. */
export const heartbeatSeconds = 10;
/** Interval at which items of dead processes are searched. */
const superviseSeconds = 10;
const dayOfSeconds = 86_400;

/** Stored with each item: the input, and the workspace that may see the item. */
export type ItemData = { workspaceId: string | null; input: object };

type Holder = { boss: PgBoss | null; queues: readonly Queue[] };
const holder = () => processWide("boss", (): Holder => ({ boss: null, queues: [] }));

/** Returns the engine of this process. @throws Error before the engine runs */
export function runningBoss(): PgBoss {
  const { boss } = holder();
  if (!boss) throw new Error("The engine of durable work is not running");
  return boss;
}

/** The queues of this process, in the order in which they are listed. */
export const runningQueues = (): readonly Queue[] => holder().queues;

export type RunningEngine = { boss: PgBoss; stop: () => Promise<void> };

/**
 * Connects to pg-boss and creates missing queues; afterwards `enqueue` works.
 * @param works whether this process supervises items of dead processes and runs schedules
 */
export async function startEngine(
  queues: readonly Queue[],
  { works, url = databaseUrl() }: { works: boolean; url?: string },
): Promise<RunningEngine> {
  // Taking and ending an item need no disk flush: what a crash of Postgres loses of them is an attempt that is repeated. Items are
  // queued in their callers' transactions.
  const session = { statement_timeout: "60000", synchronous_commit: "off" };
  const { pool } = connect(url, { max: 2, name: "handrail-work", session });
  const boss = new PgBoss({
    db: fromPostgres(pool),
    schema: bossSchema,
    // Not needed, because the signal that commits with the item wakes our runner.
    useListenNotify: false,
    supervise: works,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 3_600,
    // Rare, because no item depends on another.
    flowIntervalSeconds: 3_600,
    schedule: works,
  });
  boss.on("error", (error) => log().warn({ err: error }, "durable work"));
  boss.on("warning", ({ message, data }) => log().warn({ data }, message));
  await oneAtATime(pool, async () => {
    await boss.start();
    await createQueues(boss, queues);
  });
  Object.assign(holder(), { boss, queues });
  provideEngine({ insert: (tx, queue, items) => insert(boss, tx, queue, items) });
  return {
    boss,
    async stop() {
      provideEngine(null);
      Object.assign(holder(), { boss: null, queues: [] });
      await boss.stop({ graceful: false });
      await pool.end({ timeout: 5 });
    },
  };
}

/** Replicas of a new installation start at once, and only one of them can create the same schema and queues. */
async function oneAtATime(pool: postgres.Sql, work: () => Promise<void>): Promise<void> {
  const connection = await pool.reserve();
  try {
    await connection`select pg_advisory_lock(hashtextextended('durable-work', 0))`;
    await work();
  } finally {
    await connection`select pg_advisory_unlock(hashtextextended('durable-work', 0))`.catch(() => {});
    connection.release();
  }
}

async function createQueues(boss: PgBoss, queues: readonly Queue[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, ordered, retry } of queues) {
    const options = {
      retryLimit: retry.attempts - 1,
      retryDelay: retry.firstDelaySeconds,
      retryDelayMax: retry.maxDelaySeconds,
      retryBackoff: true,
      heartbeatSeconds,
      // Longer than any handler, because the heartbeat detects a dead process.
      expireInSeconds: dayOfSeconds - 1,
      // A webhook waits hours for its next attempt, a schedule may wait for longer.
      retentionSeconds: 365 * dayOfSeconds,
      // High, because every pending approval has an item scheduled for later.
      warningQueueSize: 1_000_000,
      // For failed items, because `removeFinishedItems` removes succeeded items within minutes.
      deleteAfterSeconds: 30 * dayOfSeconds,
    };
    const before = known.get(name);
    if (!before) await boss.createQueue(name, { ...options, policy: ordered ? "key_strict_fifo" : "standard" });
    else if (Object.entries(options).some(([option, value]) => before[option as keyof typeof before] !== value)) {
      await boss.updateQueue(name, options);
    }
  }
}

async function insert(boss: PgBoss, tx: Db, queue: Queue, items: readonly NewWorkItem<object>[]): Promise<void> {
  const rows = items.map(({ input, workspaceId, startAfter, key, group }) => ({
    data: { workspaceId, input } satisfies ItemData,
    ...(startAfter ? { startAfter } : {}),
    ...(key === undefined ? {} : { singletonKey: key }),
    ...(group === undefined ? {} : { group: { id: group } }),
  }));
  const isDue = items.some(({ startAfter }) => !startAfter);
  // In parallel, because neither query needs the other's result.
  await Promise.all([
    boss.insert(queue.name, rows, { db: fromDrizzle(tx, sql), returnId: false }),
    isDue && signalOnCommit(tx, { topic: "work", queue: queue.name }),
  ]);
}
