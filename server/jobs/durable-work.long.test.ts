import { spawn } from "node:child_process";
import { once } from "node:events";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { db } from "@/server/platform/database/database";
import { defineQueue, enqueue, type Queue } from "@/server/platform/queue";
import { useTestDatabase } from "@/server/testing/test-database";
import { startEngine } from "./engine";
import { type Attempt, handled, runQueue } from "./run-queue";

useTestDatabase();

const input = z.object({ n: z.number() });
const quick = { attempts: 3, firstDelaySeconds: 1, maxDelaySeconds: 60 };

/** An engine of its own for one queue, emptied of the tests before, and its items as rows. */
async function useQueue<I extends z.ZodObject>(queue: Queue<I>, handle: (input: z.output<I>, attempt: Attempt) => Promise<void>) {
  const { boss, stop } = await startEngine([queue as unknown as Queue], { works: false });
  onTestFinished(stop);
  await boss.deleteAllJobs(queue.name);
  const runner = runQueue(boss, handled(queue, handle));
  onTestFinished(() => runner.stop());
  const rows = () =>
    db().execute<{ state: string; retry: number; pauseMs: number; output: { message?: string } | null }>(sql`
    select state::text, retry_count as retry, output,
      (extract(epoch from start_after - now()) * 1000)::float8 as "pauseMs"
    from pgboss.job where name = ${queue.name} order by created_on, id`);
  return {
    boss,
    runner,
    rows: async () => [...(await rows())],
    /** Makes scheduled items due now. */
    skipPause: () => db().execute(sql`update pgboss.job set start_after = now() where name = ${queue.name} and state < 'active'`),
    /** Takes due items until none is left. */
    async work() {
      await runner.look();
      await runner.settled();
    },
  };
}

const add = <I extends z.ZodObject>(queue: Queue<I>, n: number, more: { key?: string; group?: string; startAfter?: Date } = {}) =>
  db().transaction((tx) => enqueue(tx, queue, [{ workspaceId: null, input: { n } as z.input<I>, ...more }]));

test("work is queued if and only if its transaction commits", async () => {
  const queue = defineQueue({ title: "Of a test", description: "Of a test", name: "run_job", input });
  const done: number[] = [];
  const { work, rows } = await useQueue(queue, async ({ n }) => void done.push(n));
  const failing = db().transaction(async (tx) => {
    await enqueue(tx, queue, [{ workspaceId: null, input: { n: 1 } }]);
    throw new Error("The transaction did not commit");
  });
  await expect(failing).rejects.toThrow("did not commit");
  await work();
  expect(done).toEqual([]);
  await add(queue, 2);
  await work();
  expect(done).toEqual([2]);
  expect(await rows()).toMatchObject([{ state: "completed" }]);
});

test("a failed attempt is repeated later each time, and fails for good with its last attempt", async () => {
  const queue = defineQueue({ title: "Of a test", description: "Of a test", name: "run_job", input, retry: quick });
  const attempts: number[] = [];
  const { work, rows, skipPause, boss } = await useQueue(queue, async (_input, { number }) => {
    attempts.push(number);
    if (number < 4) throw new Error(`attempt ${number} failed`);
  });
  await add(queue, 1);
  const pauses: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    await work();
    const [row] = await rows();
    expect(row).toMatchObject({ state: "retry", output: { message: `attempt ${count + 1} failed` } });
    pauses.push(row?.pauseMs ?? 0);
    await work();
    expect(attempts, "it is not due yet").toHaveLength(count + 1);
    await skipPause();
  }
  expect(pauses[1]).toBeGreaterThan((pauses[0] ?? 0) * 0.9);
  await work();
  expect(await rows()).toMatchObject([{ state: "failed", retry: 2 }]);
  await work();
  expect(attempts).toEqual([1, 2, 3]);

  const [{ id } = { id: "" }] = await boss.findJobs(queue.name);
  await boss.retry(queue.name, id);
  await work();
  expect(attempts).toEqual([1, 2, 3, 4]);
  expect(await rows()).toMatchObject([{ state: "completed" }]);
});

test("items with one key run one by one in their order, whatever fails; others do not wait", async () => {
  const queue = defineQueue({ title: "Of a test", description: "Of a test", name: "find_lost_work", input, ordered: true, retry: quick });
  const done: string[] = [];
  let failures = 0;
  await db().execute(sql`delete from pgboss.queue where name = 'find_lost_work'`);
  const { work, skipPause, rows } = await useQueue(queue, async ({ n }) => {
    if (n === 1 && failures++ < 2) throw new Error("not yet");
    done.push(String(n));
  });
  for (const n of [1, 2, 3]) await add(queue, n, { key: "a" });
  for (const n of [11, 12]) await add(queue, n, { key: "b" });
  await work();
  expect(done).toEqual(["11", "12"]);
  await skipPause();
  await work();
  expect(done, "the first one waits for another attempt").toEqual(["11", "12"]);
  await skipPause();
  await work();
  expect(done).toEqual(["11", "12", "1", "2", "3"]);
  expect((await rows()).every(({ state }) => state === "completed")).toBe(true);
});

test("however many runners share a queue, each item runs once", async () => {
  const queue = defineQueue({ title: "Of a test", description: "Of a test", name: "run_job", input });
  const done: number[] = [];
  const handle = async ({ n }: { n: number }) => void done.push(n);
  const { boss, runner } = await useQueue(queue, handle);
  await db().transaction((tx) =>
    enqueue(
      tx,
      queue,
      Array.from({ length: 200 }, (_, n) => ({ workspaceId: null, input: { n } })),
    ),
  );
  const runners = [runner, ...[1, 2, 3].map(() => runQueue(boss, handled(queue, handle)))];
  await Promise.all(runners.map((each) => each.look()));
  await Promise.all(runners.map((each) => each.settled()));
  expect(done).toHaveLength(200);
  expect(new Set(done).size).toBe(200);
});

test("an attempt that is cut off by a stop is repeated soon by another process", async () => {
  const queue = defineQueue({ title: "Of a test", description: "Of a test", name: "run_job", input });
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let isCutOff = false;
  const first = await useQueue(queue, async (_input, { signal }) => {
    signal.addEventListener("abort", () => {
      isCutOff = true;
    });
    reach();
    await opened;
  });
  await add(queue, 1);
  void first.runner.look();
  await reached;
  first.runner.stop();
  await first.runner.giveBack();
  expect(isCutOff).toBe(true);
  expect(await first.rows()).toMatchObject([{ state: "retry", output: { message: expect.stringContaining("stopped") } }]);

  const done: number[] = [];
  const other = runQueue(
    first.boss,
    handled(queue, async (_input, { number }) => void done.push(number)),
  );
  await first.skipPause();
  await other.look();
  await other.settled();
  open();
  await first.runner.settled();
  expect(done).toEqual([2]);
  expect(await first.rows(), "the late end of the first attempt changes nothing").toMatchObject([{ state: "completed", retry: 1 }]);
});

test("an item whose process is killed in the middle of it is finished by another one", async () => {
  const queue = defineQueue({ title: "Of a test", description: "Of a test", name: "run_job", input });
  const done: { n: number; attempt: number }[] = [];
  const { work, rows, skipPause, boss } = await useQueue(queue, async ({ n }, { number }) => void done.push({ n, attempt: number }));
  await add(queue, 7);
  const script = [
    "--conditions=react-server",
    "--import",
    "tsx",
    "--no-warnings",
    "server/testing/processes/hold-work-item.ts",
    queue.name,
  ];
  const child = spawn(process.execPath, script, { stdio: ["ignore", "inherit", "inherit", "ipc"], env: process.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect((await once(child, "message"))[0]).toEqual({ taken: 7 });
  child.kill("SIGKILL");
  await once(child, "exit");

  await work();
  expect(done, "it may still be under way").toEqual([]);
  await boss.supervise(queue.name);
  expect(await rows()).toMatchObject([{ state: "active" }]);
  // Backdates the heartbeat of the item.
  await db().execute(sql`update pgboss.job set heartbeat_on = now() - interval '11 seconds' where name = ${queue.name}`);
  await db().execute(sql`update pgboss.queue set monitor_claim_on = null, monitor_on = null where name = ${queue.name}`);
  await boss.supervise(queue.name);
  await skipPause();
  await work();
  expect(done).toEqual([{ n: 7, attempt: 2 }]);
  expect(await rows()).toMatchObject([{ state: "completed", retry: 1 }]);
}, 60_000);

test("an item has real dates for pg-boss, which plans schedules by them", async () => {
  const queue = defineQueue({ title: "Of a test", description: "Of a test", name: "run_job", input });
  const { boss } = await useQueue(queue, async () => {});
  await add(queue, 1);
  const [item] = await boss.findJobs(queue.name);
  expect(item?.createdOn).toBeInstanceOf(Date);
  expect(Math.abs(Date.now() - (item?.createdOn.getTime() ?? 0))).toBeLessThan(60_000);
});

test("replicas of a new installation start at once", async () => {
  await db().execute(sql`drop schema pgboss cascade`);
  const queue = defineQueue({ title: "Of a test", description: "Of a test", name: "run_job", input }) as unknown as Queue;
  const started = await Promise.all(Array.from({ length: 4 }, () => startEngine([queue], { works: false })));
  expect(await db().execute(sql`select name from pgboss.queue where name = ${queue.name}`)).toHaveLength(1);
  await Promise.all(started.map(({ stop }) => stop()));
});
