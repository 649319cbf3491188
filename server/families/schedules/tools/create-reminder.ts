import { z } from "zod";
import type { ScheduleTiming } from "@/contracts/automation/schedules";
import { defineTool } from "@/server/tools/define-tool";
import { schedules } from "../agent-schedules";
import { createdJob } from "./cron-job";
import {
  asFailure,
  assertUsableTime,
  cronArgument,
  nameArgument,
  schedulesWork,
  textArgument,
  timezoneArgument,
  timingAliases,
} from "./schedule-arguments";

const aYearOfMinutes = 366 * 24 * 60;

export const createReminder = defineTool({
  name: "create_reminder",
  title: "Create a reminder",
  description:
    "Reminds people later with exactly reminderText, which no model rewrites. Send one of cronExpression (again and again), at (once, with offset: 2026-04-11T14:30:00Z) and inMinutes (once).",
  family: "schedules",
  tier: "extension",
  effect: "write",
  needs: [schedules],
  names: {
    aliases: ["add_reminder", "set_reminder"],
    parameterAliases: {
      ...timingAliases,
      reminder_text: "reminderText",
      text: "reminderText",
      message: "reminderText",
      in_minutes: "inMinutes",
    },
  },
  primaryArgument: "reminderText",
  input: z
    .object({
      name: nameArgument,
      reminderText: textArgument("The text of the reminder"),
      cronExpression: cronArgument.optional(),
      at: z.iso.datetime({ offset: true }).optional().describe("Time with its offset, such as 2026-03-01T09:00:00+01:00"),
      inMinutes: z.int().min(1).max(aYearOfMinutes).optional().describe("Minutes from now"),
      timezone: timezoneArgument,
    })
    .superRefine(({ cronExpression, at, inMinutes }, context) => {
      const sent = [cronExpression, at, inMinutes].filter((when) => when !== undefined).length;
      if (sent !== 1) context.addIssue({ code: "custom", message: "send exactly one of cronExpression, at and inMinutes", path: [] });
    }),
  approval: {
    effects: () => [schedulesWork("/reminderText")],
    async completeArguments(args) {
      assertUsableTime(args);
      return args;
    },
  },
  async execute({ name, reminderText, cronExpression, at, inMinutes, timezone }, { schedules }) {
    const timing: ScheduleTiming =
      cronExpression !== undefined
        ? { kind: "cron", expression: cronExpression }
        : { kind: "once", at: at === undefined ? await schedules.timeIn(inMinutes ?? 1) : new Date(at).toISOString() };
    const job = await schedules.create({ name, action: "reminder", text: reminderText, timing, timezone }).catch(asFailure);
    return createdJob(job, cronExpression ?? null);
  },
});
