import { and, desc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { ScheduleDraft } from "@/contracts/automation/schedules";
import { auditEvents, conversations, scheduleRuns, schedules, webhookDeliveries, webhooks } from "@/db/schema";
import { workItems } from "@/server/jobs/work-items";
import { db } from "@/server/platform/database/database";
import { authorize, type BuiltWorkspace, buildAgent, buildApiKey, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { createSchedule } from "./create-schedule";
import { getSchedule } from "./find-schedule";
import { listScheduleRuns, listSchedules } from "./list-schedules";
import { removeSchedule } from "./remove-schedule";
import { runDueSchedule, runScheduleNow } from "./run-schedule";
import { findLostRuns } from "./schedule-sweeps";
import { updateSchedule } from "./update-schedule";

useTestDatabase();

let built: BuiltWorkspace;
beforeEach(async () => {
  built = await buildWorkspace();
});
const writer = () => authorize(built.admin, "schedules:write");
const reader = () => authorize(built.viewer, "turns:read");
const draftOf = (values: Partial<ScheduleDraft> = {}) =>
  ScheduleDraft.parse({ name: "Report", text: "Summarise the day", timing: { kind: "interval", everySeconds: 3_600 }, ...values });

/** Moves the next run of a schedule, as if time had passed, and returns the work item of that time. */
async function dueSince(scheduleId: string, minutes: number) {
  const [row] = await db()
    .update(schedules)
    .set({ nextRunAt: sql`date_trunc('milliseconds', now() - make_interval(mins => ${minutes}))` })
    .where(eq(schedules.id, scheduleId))
    .returning();
  return { scheduleId, dueAt: row?.nextRunAt?.toISOString() ?? "" };
}

const runsOf = (scheduleId: string) => db().select().from(scheduleRuns).where(eq(scheduleRuns.scheduleId, scheduleId));
const queued = async (scheduleId: string) => [
  ...(await db().execute<{ dueAt: string; after: Date }>(sql`
    select item.data -> 'input' ->> 'dueAt' as "dueAt" from ${workItems} as item
    where item.name = 'run_schedule' and item.data -> 'input' ->> 'scheduleId' = ${scheduleId} order by 1`)),
];

describe("a run", () => {
  test("opens a conversation of origin cron, and tells history, audit and webhooks in one transaction", async () => {
    await db()
      .insert(webhooks)
      .values({ workspaceId: built.workspace.id, name: "w", url: "https://example.com/w", secret: "s", events: ["schedule.fired"] });
    const schedule = await createSchedule(writer(), draftOf());
    await runDueSchedule(await dueSince(schedule.id, 1));
    const [run] = await runsOf(schedule.id);
    const [conversation] = await db()
      .select()
      .from(conversations)
      .where(eq(conversations.id, run?.conversationId ?? ""));
    expect(conversation).toMatchObject({
      origin: "cron",
      interactive: false,
      agentId: built.agent.id,
      metadata: { schedule: { text: "Summarise the day", action: "prompt", scheduleId: schedule.id, runId: run?.id } },
    });
    const [delivery] = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.workspaceId, built.workspace.id));
    expect(delivery).toMatchObject({ event: "schedule.fired", payload: { text: "Summarise the day", conversationId: conversation?.id } });
    const [event] = await db()
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.workspaceId, built.workspace.id), eq(auditEvents.event, "schedule.fired")));
    expect(event).toMatchObject({ subject: schedule.id, conversationId: conversation?.id });
  });

  test("happens once for each due time, whatever number of replicas have its item", async () => {
    const { id } = await createSchedule(writer(), draftOf());
    const item = await dueSince(id, 1);
    await Promise.all(Array.from({ length: 6 }, () => runDueSchedule(item)));
    expect(await runsOf(id)).toHaveLength(1);
    const after = await getSchedule(reader(), id);
    expect(Date.parse(after.nextRunAt ?? "") - Date.parse(item.dueAt)).toBe(3_600_000);
    expect((await queued(id)).map(({ dueAt }) => dueAt)).toContain(after.nextRunAt);
  });

  test("makes up for all missed ones by one late run, or leaves them out", async () => {
    const late = await createSchedule(writer(), draftOf({ name: "late" }));
    const left = await createSchedule(writer(), draftOf({ name: "left out", missed: "skip" }));
    for (const { id } of [late, left]) await runDueSchedule(await dueSince(id, 5 * 60));
    expect(await runsOf(late.id)).toMatchObject([{ status: "started" }]);
    expect(await runsOf(left.id)).toMatchObject([{ status: "skipped", conversationId: null }]);
    for (const { id } of [late, left]) {
      const { nextRunAt } = await getSchedule(reader(), id);
      expect(Date.parse(nextRunAt ?? "")).toBeGreaterThan(Date.now() - 60_000);
    }
  });

  test("of a single time is the last one", async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await createSchedule(writer(), draftOf({ timing: { kind: "once", at } }));
    await runDueSchedule(await dueSince(id, 1));
    expect(await getSchedule(reader(), id)).toMatchObject({ enabled: false, nextRunAt: null, lastStatus: "started" });
  });

  test("does not happen while the schedule is paused, nor after it was removed", async () => {
    const paused = await createSchedule(writer(), draftOf({ name: "paused" }));
    const gone = await createSchedule(writer(), draftOf({ name: "gone" }));
    const items = [await dueSince(paused.id, 1), await dueSince(gone.id, 1)];
    const { agent, ...draft } = draftOf({ name: "paused", enabled: false });
    await updateSchedule(writer(), paused.id, draft, null);
    await removeSchedule(writer(), gone.id, null);
    for (const item of items) await runDueSchedule(item);
    expect(await runsOf(paused.id)).toEqual([]);
    expect(await getSchedule(reader(), paused.id)).toMatchObject({ enabled: false, nextRunAt: null });
  });

  test("that a person asks for leaves the next one where it is", async () => {
    const { id, nextRunAt } = await createSchedule(writer(), draftOf());
    const run = await runScheduleNow(writer(), id);
    expect(run).toMatchObject({ status: "started", trigger: "person", schedule: "Report" });
    expect(await getSchedule(reader(), id)).toMatchObject({ nextRunAt, lastStatus: "started" });
    expect((await listScheduleRuns(reader(), { scheduleId: id })).items.map((one) => one.id)).toEqual([run.id]);
  });

  test("whose work item was lost is queued again", async () => {
    const { id } = await createSchedule(writer(), draftOf());
    const { dueAt } = await dueSince(id, 2);
    await findLostRuns();
    expect((await queued(id)).map((item) => item.dueAt)).toContain(dueAt);
  });
});

describe("a change", () => {
  test("of the timing moves the next run, and a change of the text does not", async () => {
    const { id, nextRunAt, version } = await createSchedule(writer(), draftOf());
    const { agent, ...same } = draftOf({ text: "Summarise the week" });
    expect(await updateSchedule(writer(), id, same, version)).toMatchObject({ nextRunAt, text: "Summarise the week" });
    const moved = await updateSchedule(writer(), id, { ...same, timing: { kind: "interval", everySeconds: 60 } }, null);
    expect(moved.nextRunAt).not.toBe(nextRunAt);
    await expect(updateSchedule(writer(), id, same, version)).rejects.toThrow("was changed by somebody else");
    const [event] = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.workspaceId, built.workspace.id))
      .orderBy(desc(auditEvents.at), desc(auditEvents.id))
      .limit(1);
    expect(event).toMatchObject({ event: "schedule.updated", data: { before: { text: "Summarise the week" } } });
  });

  test("is refused where it could never run, or where the name is taken", async () => {
    await createSchedule(writer(), draftOf());
    await expect(createSchedule(writer(), draftOf())).rejects.toThrow('has a schedule named "Report" already');
    const over = draftOf({ name: "over", timing: { kind: "once", at: "2020-01-01T00:00:00Z" } });
    await expect(createSchedule(writer(), over)).rejects.toThrow("is over");
    await expect(createSchedule(writer(), draftOf({ agent: "nobody" }))).rejects.toThrow('no agent "nobody"');
  });
});

test("a key that is bound to an agent sees that agent's schedules only", async () => {
  const other = await buildAgent(built.workspace.id);
  const theirs = await createSchedule(writer(), draftOf({ agent: other.name }));
  const ours = await createSchedule(writer(), draftOf());
  await runScheduleNow(writer(), theirs.id);
  const key = authorize(await buildApiKey(built.workspace.id, { agentId: built.agent.id, scopes: ["turns:read"] }), "turns:read");
  expect((await listSchedules(key)).items.map(({ id }) => id)).toEqual([ours.id]);
  expect((await listScheduleRuns(key)).items).toEqual([]);
  await expect(getSchedule(key, theirs.id)).rejects.toThrow("does not exist");
});
