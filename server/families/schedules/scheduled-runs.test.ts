import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { ScheduleDraft } from "@/contracts/automation/schedules";
import { apiKeys, conversations, memberships, runs, scheduleRuns, schedules } from "@/db/schema";
import { forgetActors } from "@/server/auth/actor-cache";
import { db } from "@/server/platform/database/database";
import { authorize, buildApiKey } from "@/server/testing/builders";
import { calling, giveModel, rowOf, saying, start, transcriptOf, useRunStage } from "@/server/testing/models/run-stage";
import { createSchedule } from "./create-schedule";
import { getSchedule } from "./find-schedule";
import { listScheduleRuns } from "./list-schedules";
import { runScheduleNow } from "./run-schedule";
import { startScheduledRun } from "./start-scheduled-run";

const stage = useRunStage();
const writer = () => authorize(stage.built.admin, "schedules:write");
const reader = () => authorize(stage.built.viewer, "turns:read");
const draft = ScheduleDraft.parse({ name: "Report", text: "Summarise the day", timing: { kind: "interval", everySeconds: 3_600 } });
const history = async (scheduleId: string) => (await listScheduleRuns(reader(), { scheduleId })).items;

test("an agent with a model answers its schedule's prompt by a run, which the history shows", async () => {
  await giveModel(stage, [saying("All quiet.")]);
  const { id } = await createSchedule(writer(), draft);
  const { conversationId } = await runScheduleNow(writer(), id);
  await expect.poll(() => history(id)).toMatchObject([{ status: "started", runStatus: "succeeded", error: null }]);
  const [{ runId } = { runId: null }] = await history(id);
  expect(await rowOf(runId ?? "")).toMatchObject({ conversationId, answer: "All quiet.", requestedBy: { id: stage.built.admin.id } });
  expect(await transcriptOf(runId ?? "")).toEqual(["user: Summarise the day", "assistant: All quiet."]);
});

test("an attempt that is repeated starts no second run", async () => {
  await giveModel(stage, [saying("Done.")]);
  const { id } = await createSchedule(writer(), draft);
  const run = await runScheduleNow(writer(), id);
  await Promise.all(Array.from({ length: 4 }, () => startScheduledRun({ scheduleRunId: run.id }, { number: 1 })));
  await expect.poll(() => history(id)).toMatchObject([{ runStatus: "succeeded" }]);
  expect(
    await db()
      .select()
      .from(runs)
      .where(eq(runs.conversationId, run.conversationId ?? "")),
  ).toHaveLength(1);
});

test("a call that would ask a person is refused, because nobody watches a schedule's conversation", async () => {
  await giveModel(stage, [calling(["change", { text: "it" }]), saying("I may not.")]);
  const { id } = await createSchedule(writer(), draft);
  await runScheduleNow(writer(), id);
  await expect.poll(() => history(id)).toMatchObject([{ runStatus: "succeeded" }]);
  expect(stage.log).toEqual([]);
});

test("a schedule that was made in a group sees what the group sees", async () => {
  await giveModel(stage, [saying("All quiet.")]);
  await db().update(conversations).set({ channel: "telegram:group" }).where(eq(conversations.id, stage.conversationId));
  const { id } = await createSchedule(writer(), draft);
  await db().update(schedules).set({ conversationId: stage.conversationId }).where(eq(schedules.id, id));
  const run = await runScheduleNow(writer(), id);
  const [opened] = await db()
    .select()
    .from(conversations)
    .where(eq(conversations.id, run.conversationId ?? ""));
  expect(opened?.channel).toBe("telegram:group");
});

test("a reminder and an agent without a model start no run", async () => {
  const { id } = await createSchedule(writer(), draft);
  await runScheduleNow(writer(), id);
  await giveModel(stage, [saying("Never.")]);
  const reminder = await createSchedule(writer(), { ...draft, name: "Tea", action: "reminder" });
  await runScheduleNow(writer(), reminder.id);
  expect([...(await history(id)), ...(await history(reminder.id))]).toMatchObject([{ runId: null }, { runId: null }]);
});

test("a schedule of a removed member is paused with the reason, and switching it on clears the reason", async () => {
  await giveModel(stage, [saying("Never.")]);
  const { id } = await createSchedule(writer(), draft);
  await db().delete(memberships).where(eq(memberships.userId, stage.built.admin.id));
  await runScheduleNow(writer(), id);
  await expect.poll(() => history(id)).toMatchObject([{ status: "failed", runId: null }]);
  const reason = `${stage.built.admin.name} started this and is no longer a member of the workspace.`;
  expect(await history(id)).toMatchObject([{ error: reason }]);
  expect(await getSchedule(reader(), id)).toMatchObject({ enabled: false, nextRunAt: null, pausedReason: reason, lastStatus: "failed" });
});

test("a schedule of a revoked key is paused", async () => {
  await giveModel(stage, [saying("Late.")]);
  const key = await buildApiKey(stage.built.workspace.id, { scopes: ["turns:write", "schedules:write"] });
  const { id } = await createSchedule(authorize(key, "schedules:write"), draft);
  const run = await runScheduleNow(writer(), id);
  await expect.poll(() => history(id)).toMatchObject([{ runStatus: "succeeded" }]);
  await db().update(scheduleRuns).set({ runId: null }).where(eq(scheduleRuns.id, run.id));
  await db().update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, key.id));
  forgetActors();
  await startScheduledRun({ scheduleRunId: run.id }, { number: 1 });
  expect(await getSchedule(reader(), id)).toMatchObject({ enabled: false, pausedReason: expect.stringContaining("was revoked") });
});

test("a start that finds the agent at its limit is tried again, and fails with the reason at the last attempt", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await giveModel(stage, [{ ...saying("Busy."), holdsUntil: released }], { runLimits: { concurrentRuns: 1 } });
  await start(stage, "Work", { wait: 0 });
  const { id } = await createSchedule(writer(), draft);
  const run = await runScheduleNow(writer(), id);
  await expect(startScheduledRun({ scheduleRunId: run.id }, { number: 1 })).rejects.toThrow("unfinished runs");
  await startScheduledRun({ scheduleRunId: run.id }, { number: 10 });
  release();
  expect(await history(id)).toMatchObject([{ status: "failed", error: expect.stringContaining("its limit of unfinished runs") }]);
  expect(await getSchedule(reader(), id)).toMatchObject({ enabled: true, pausedReason: null });
});
