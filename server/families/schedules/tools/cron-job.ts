import { z } from "zod";
import type { Schedule } from "@/contracts/automation/schedules";
import type { JsonObject } from "@/contracts/common";
import { defineTool } from "@/server/tools/define-tool";
import { type SchedulesCapability, schedules } from "../agent-schedules";
import { cronJobDocumentation } from "./cron-job.documentation";
import {
  asFailure,
  assertUsableTime,
  cronArgument,
  missingArguments,
  nameArgument,
  schedulesWork,
  textArgument,
  timezoneArgument,
  timingAliases,
} from "./schedule-arguments";

const actions = ["create", "list", "toggle", "delete"] as const;
type Action = (typeof actions)[number];
const needed: Record<Action, readonly ("name" | "cronExpression" | "triggerMessage" | "jobId" | "enabled")[]> = {
  create: ["name", "cronExpression", "triggerMessage"],
  list: [],
  toggle: ["jobId", "enabled"],
  delete: ["jobId"],
};

const input = z
  .object({
    action: z
      .enum(actions, { error: ({ input }) => (input === undefined ? "expected an action, received undefined" : undefined) })
      .describe("What to do with the schedules"),
    name: nameArgument.optional(),
    cronExpression: cronArgument.optional(),
    triggerMessage: textArgument("The message that starts the conversation of each run").optional(),
    timezone: timezoneArgument,
    jobId: z.string().trim().min(1).max(100).optional().describe("For toggle and delete"),
    enabled: z.boolean().optional().describe("For toggle"),
  })
  .superRefine((args, context) => {
    const missing = needed[args.action].filter((name) => args[name] === undefined);
    if (missing.length > 0) context.addIssue({ code: "custom", message: missingArguments(args.action, missing), path: [] });
  });

export const cronJob = defineTool({
  name: "cron_job",
  title: "Cron jobs",
  description:
    "Creates, lists, pauses (toggle) and deletes this agent's cron jobs. Each run opens a new conversation with triggerMessage. create needs name, cronExpression and triggerMessage; toggle needs jobId and enabled; delete needs jobId.",
  disclosure: { documentation: cronJobDocumentation },
  family: "schedules",
  tier: "extension",
  effect: "write",
  needs: [schedules],
  names: {
    aliases: ["create_cron_job", "list_cron_jobs", "toggle_cron_job", "delete_cron_job"],
    aliasDefaults: {
      create_cron_job: { action: "create" },
      list_cron_jobs: { action: "list" },
      toggle_cron_job: { action: "toggle" },
      delete_cron_job: { action: "delete" },
    },
    parameterAliases: {
      ...timingAliases,
      trigger_message: "triggerMessage",
      message: "triggerMessage",
      prompt: "triggerMessage",
      job_id: "jobId",
      id: "jobId",
    },
  },
  primaryArgument: "action",
  approval: {
    dangerous: true,
    effects: ({ action }) => (action === "list" ? [] : [schedulesWork(action === "create" ? "/cronExpression" : "/jobId")]),
    async completeArguments(args) {
      if (args.action === "create") assertUsableTime(args);
      return args;
    },
  },
  input,
  async execute(args, { schedules }) {
    switch (args.action) {
      case "create":
        return createJob(args, schedules);
      case "list":
        return listJobs(await schedules.list());
      case "toggle": {
        const job = await schedules.toggle(args.jobId ?? "", args.enabled ?? true);
        return { success: true, jobId: job.id, enabled: job.enabled, nextRunTime: job.nextRunAt };
      }
      case "delete":
        await schedules.remove(args.jobId ?? "");
        return { success: true, deleted: args.jobId ?? "" };
    }
  },
});

async function createJob(args: z.output<typeof input>, schedules: SchedulesCapability): Promise<JsonObject> {
  const { name = "", cronExpression = "", triggerMessage = "", timezone } = args;
  const timing = { kind: "cron", expression: cronExpression } as const;
  const job = await schedules.create({ name, text: triggerMessage, timing, timezone }).catch(asFailure);
  return createdJob(job, cronExpression);
}

/** The answer to a created job or reminder. */
export function createdJob(job: Schedule, cronExpression: string | null): JsonObject {
  return {
    success: true,
    jobId: job.id,
    name: job.name,
    cronExpression,
    timezone: job.timezone,
    nextRunTime: job.nextRunAt,
    enabled: job.enabled,
  };
}

function listJobs(jobs: readonly Schedule[]): JsonObject {
  return {
    totalJobs: jobs.length,
    jobs: jobs.map(({ id, name, timing, timezone, enabled, nextRunAt, lastRunAt, agent }) => ({
      jobId: id,
      name,
      cronExpression: timing.kind === "cron" ? timing.expression : null,
      ...(timing.kind === "interval" ? { everySeconds: timing.everySeconds } : {}),
      ...(timing.kind === "once" ? { at: timing.at } : {}),
      timezone,
      enabled,
      nextRunTime: nextRunAt,
      lastRunTime: lastRunAt,
      agentName: agent,
    })),
  };
}
