import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { CallScope } from "@/server/capabilities/define-capability";
import { decide } from "@/server/guard/decide";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { buildRequest, policyOfRules } from "@/server/testing/guard/guarded-calls";
import { useTestDatabase } from "@/server/testing/test-database";
import { toolContext } from "@/server/testing/tool-context";
import type { AnyTool } from "@/server/tools/define-tool";
import { type SchedulesCapability, schedules } from "./agent-schedules";
import { addSchedule, addTimer } from "./tools/add-trigger";
import { createReminder } from "./tools/create-reminder";
import { cronJob } from "./tools/cron-job";

useTestDatabase();

let given: { schedules: SchedulesCapability };
let built: BuiltWorkspace;
beforeEach(async () => {
  built = await buildWorkspace();
  const { id: conversationId } = await buildConversation(built.agentKey);
  const scope = { conversationId, workspaceId: built.workspace.id, actor: built.agentKey };
  given = { schedules: schedules.create(scope as unknown as CallScope) };
});

/** Calls a tool under one of its names, as a turn does. */
async function ask(tool: AnyTool, args: JsonObject, requestedName = tool.name): Promise<unknown> {
  const parsed = tool.parse(args, requestedName);
  if (!parsed.ok) throw new Error(parsed.message);
  return tool.run(parsed.value, toolContext(given));
}

const daily = { name: "Report", cronExpression: "0 9 * * *", triggerMessage: "Go", timezone: "Europe/Paris" };

test("a cron job is made, listed, paused, resumed and deleted, under one name or four", async () => {
  const made = (await ask(cronJob, daily, "create_cron_job")) as { jobId: string; nextRunTime: string };
  expect(made).toMatchObject({ success: true, name: "Report", cronExpression: "0 9 * * *", timezone: "Europe/Paris", enabled: true });
  expect(await ask(cronJob, { ...daily, action: "create" })).toMatchObject({ name: "Report (2)" });
  expect(await ask(cronJob, {}, "list_cron_jobs")).toMatchObject({
    totalJobs: 2,
    jobs: [{ jobId: made.jobId, nextRunTime: made.nextRunTime, lastRunTime: null, agentName: "default" }, { name: "Report (2)" }],
  });
  const { jobId } = made;
  expect(await ask(cronJob, { jobId, enabled: false }, "toggle_cron_job")).toMatchObject({ enabled: false, nextRunTime: null });
  expect(await ask(cronJob, { jobId, enabled: true, action: "toggle" })).toMatchObject({ enabled: true, nextRunTime: made.nextRunTime });
  expect(await ask(cronJob, { job_id: jobId }, "delete_cron_job")).toEqual({ success: true, deleted: jobId });
  expect(await ask(cronJob, { action: "list" })).toMatchObject({ totalJobs: 1 });
});

test("a reminder keeps its text as it is, and runs once or again and again", async () => {
  expect(await ask(createReminder, { name: "Tea", reminderText: "Tea is ready", inMinutes: 5 })).toMatchObject({ cronExpression: null });
  await ask(createReminder, { name: "Stand-up", reminderText: "Stand up!", cronExpression: "0 10 * * 1-5" });
  const [tea, standUp] = await given.schedules.list();
  expect(tea).toMatchObject({ action: "reminder", text: "Tea is ready", timing: { kind: "once" } });
  expect(standUp).toMatchObject({ action: "reminder", text: "Stand up!", timing: { kind: "cron" } });
});

test("a timer with immediate is due at once; its name is refused when it is taken", async () => {
  const sentence = await ask(addTimer, { interval: 600, prompt: "Look", immediate: true, name: "watch" });
  expect(sentence).toMatch(/^Trigger `add_timer` correctly set up and running in the background with an interval of 600 s\. trigger_id=/);
  const [timer] = await given.schedules.list();
  expect(Date.parse(timer?.nextRunAt ?? "")).toBeLessThan(Date.now() + 5_000);
  await expect(ask(addTimer, { interval: 600, prompt: "Look", name: "watch" })).rejects.toThrow("watch");
});

test("add_schedule takes exactly one of its three times", async () => {
  await ask(addSchedule, { prompt: "p", every_minutes: 30 });
  await ask(addSchedule, { prompt: "p", daily_at: "09:05", timezone: "Asia/Tokyo" });
  await ask(addSchedule, { prompt: "p", hourly_at: 7 });
  const made = await given.schedules.list();
  expect(made.map(({ timing }) => timing)).toEqual([
    { kind: "interval", everySeconds: 1_800 },
    { kind: "cron", expression: "5 9 * * *" },
    { kind: "cron", expression: "7 * * * *" },
  ]);
  expect(made.every(({ name }) => /^trigger_[0-9a-f]{8}$/.test(name))).toBe(true);
});

describe("a refusal says what to send", () => {
  test.each<[AnyTool, JsonObject, RegExp]>([
    [cronJob, { action: "create", name: "x" }, /Missing required arg\(s\) for create: cronExpression, triggerMessage/],
    [cronJob, { action: "toggle", jobId: "x" }, /Missing required arg\(s\) for toggle: enabled/],
    [cronJob, { action: "erase" }, /action/],
    [createReminder, { name: "x", reminderText: "x" }, /exactly one of cronExpression, at and inMinutes/],
    [addTimer, { interval: 5, prompt: "x" }, /interval/],
    [addSchedule, { prompt: "x" }, /Missing required arg\(s\) for add_schedule/],
    [addSchedule, { prompt: "x", hourly_at: 1, every_minutes: 5 }, /exactly one of/],
    [addSchedule, { prompt: "x", daily_at: "25:00" }, /HH:MM/],
  ])("%#", async (tool, args, sentence) => {
    await expect(ask(tool, args)).rejects.toThrow(sentence);
  });

  test("of what only the clock and the rows know", async () => {
    await expect(ask(cronJob, { ...daily, action: "create", cronExpression: "every day" })).rejects.toThrow("Failed to create cron job: ");
    await expect(ask(cronJob, { action: "delete", jobId: "nonsense" })).rejects.toThrow("There is no job nonsense");
    await expect(ask(createReminder, { name: "x", reminderText: "x", at: "2020-01-01T00:00:00Z" })).rejects.toThrow("is over");
  });
});

test("nobody is asked to approve a time that never comes", async () => {
  const complete = async (tool: AnyTool, args: JsonObject) => {
    const parsed = tool.parse(args, tool.name);
    if (!parsed.ok) throw new Error(parsed.message);
    return tool.completeArguments?.(parsed.value, { workspaceId: "", conversationId: "", folder: "/" });
  };
  const job = { ...daily, action: "create" };
  await expect(complete(cronJob, { ...job, timezone: "Mars/Olympus" })).rejects.toThrow('There is no time zone "Mars/Olympus"');
  await expect(complete(cronJob, { ...job, cronExpression: "99 * * * *" })).rejects.toThrow(
    'The cron expression "99 * * * *" cannot be used',
  );
  const reminder = { name: "x", reminderText: "x", timezone: "Mars/Olympus" };
  await expect(complete(createReminder, { ...reminder, inMinutes: 5 })).rejects.toThrow('There is no time zone "Mars/Olympus"');
  expect(await complete(cronJob, job)).toMatchObject(job);
  expect(await complete(cronJob, { action: "list" })).toMatchObject({ action: "list" });
});

test("by the default policy a schedule asks a person, with the sandbox too, and listing asks nobody", () => {
  const { name, source, sourceRef, effect, needs, primaryArgument, effects } = cronJob;
  const guarded = { name, source, sourceRef, effect, needs, primaryArgument, surface: "natural", ...(effects ? { effects } : {}) } as const;
  const decideOn = (args: JsonObject) => {
    const request = buildRequest(guarded, args);
    return decide(policyOfRules([]), { ...request, context: { ...request.context, sandboxed: true } });
  };
  expect(decideOn({ action: "list" }).verdict).toBe("allow");
  const made = decideOn({ ...daily, action: "create" });
  expect(made.verdict).toBe("require_approval");
  expect(made.reason).toContain("schedules work for later");
});
