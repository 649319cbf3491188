import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { auditEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { enqueue } from "@/server/platform/queue";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { queues } from "@/server/testing/queues";
import { useTestDatabase } from "@/server/testing/test-database";
import { jobQueue } from "@/server/turns/background/job-queue";
import { startEngine } from "./engine";
import { listFailedItems } from "./list-failed-items";
import { listWorkQueues } from "./list-work-queues";
import { removeFinishedItems } from "./remove-finished-items";
import { handled, runQueue } from "./run-queue";
import { discardFailedItem, retryFailedItem } from "./settle-failed-item";

useTestDatabase();

const admin = (actor: Parameters<typeof authorize>[0]) => authorize(actor, "admin");

/** Creates failed items of jobs that cannot be started. */
async function failJobs(workspaceId: string, count: number) {
  const { boss, stop } = await startEngine(queues, { works: false });
  onTestFinished(stop);
  await boss.deleteAllJobs(jobQueue.name);
  await db().transaction((tx) =>
    enqueue(
      tx,
      jobQueue,
      Array.from({ length: count }, () => ({ workspaceId, input: { jobId: newId() } })),
    ),
  );
  await db().execute(sql`update pgboss.job set retry_limit = 0 where name = ${jobQueue.name}`);
  let succeeds = false;
  const runner = runQueue(
    boss,
    handled(jobQueue, async () => {
      if (!succeeds) throw new Error("the disk is full");
    }),
  );
  const work = async () => {
    await runner.look();
    await runner.settled();
  };
  await work();
  return {
    work,
    mend() {
      succeeds = true;
    },
  };
}

const jobsOf = async (actor: Parameters<typeof authorize>[0]) =>
  (await listWorkQueues(admin(actor))).items.find(({ name }) => name === "run_job");

test("the queues tell what waits, what failed and when one last ran, to the workspace whose work it is", async () => {
  const { workspace, admin: owner } = await buildWorkspace();
  const other = await buildWorkspace();
  const { work, mend } = await failJobs(workspace.id, 2);
  expect((await listWorkQueues(admin(owner))).items.map(({ name }) => name)).toEqual(queues.map(({ name }) => name));
  expect(await jobsOf(owner)).toMatchObject({ waiting: 0, active: 0, failed: 2, lastFinishedAt: null, schedule: null });
  expect(await jobsOf(other.admin)).toMatchObject({ failed: 0 });
  mend();
  await db().transaction((tx) => enqueue(tx, jobQueue, [{ workspaceId: workspace.id, input: { jobId: newId() } }]));
  const startAfter = new Date(Date.now() + 60_000);
  await db().transaction((tx) => enqueue(tx, jobQueue, [{ workspaceId: workspace.id, input: { jobId: newId() }, startAfter }]));
  expect(await jobsOf(owner)).toMatchObject({ waiting: 1, scheduled: 1 });
  await work();
  expect(await jobsOf(owner)).toMatchObject({ waiting: 0, scheduled: 1, lastFinishedAt: expect.any(String) });
});

test("a failed item is retried or discarded by an admin of its workspace, once, and the audit says so", async () => {
  const { workspace, admin: owner } = await buildWorkspace();
  const other = await buildWorkspace();
  const { work, mend } = await failJobs(workspace.id, 2);
  const { items } = await listFailedItems(admin(owner));
  expect(items).toMatchObject([
    { queue: "run_job", error: "the disk is full", attempts: 1 },
    { queue: "run_job", error: "the disk is full", attempts: 1 },
  ]);
  const [first = "", second = ""] = items.map(({ id }) => id);
  expect((await listFailedItems(admin(other.admin))).items).toEqual([]);
  await expect(retryFailedItem(admin(other.admin), first)).rejects.toMatchObject({ code: "not_found" });
  await expect(discardFailedItem(admin(other.admin), first)).rejects.toMatchObject({ code: "not_found" });

  mend();
  await retryFailedItem(admin(owner), first);
  await expect(retryFailedItem(admin(owner), first)).rejects.toMatchObject({ code: "not_found" });
  await discardFailedItem(admin(owner), second);
  await work();
  expect((await listFailedItems(admin(owner))).items).toEqual([]);
  expect(await jobsOf(owner)).toMatchObject({ waiting: 0, failed: 0, lastFinishedAt: expect.any(String) });
  const told = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, workspace.id)).orderBy(auditEvents.id);
  expect(told.filter(({ event }) => event.startsWith("work_item."))).toMatchObject([
    { event: "work_item.retried", subject: first, data: { queue: "run_job", error: "the disk is full" } },
    { event: "work_item.discarded", subject: second },
  ]);
});

test("items that succeeded are removed after ten minutes, except the newest of each queue", async () => {
  const { workspace, admin: owner } = await buildWorkspace();
  const { work, mend } = await failJobs(workspace.id, 1);
  mend();
  for (let count = 0; count < 3; count += 1) {
    await db().transaction((tx) => enqueue(tx, jobQueue, [{ workspaceId: workspace.id, input: { jobId: newId() } }]));
    await work();
  }
  await db().execute(sql`update pgboss.job set completed_on = completed_on - interval '11 minutes' where name = ${jobQueue.name}`);
  await removeFinishedItems();
  const left = await db().execute(sql`select state::text from pgboss.job where name = ${jobQueue.name} order by state`);
  expect([...left]).toEqual([{ state: "completed" }, { state: "failed" }]);
  expect(await jobsOf(owner)).toMatchObject({ failed: 1, lastFinishedAt: expect.any(String) });
});
