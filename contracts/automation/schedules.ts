import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, queryFlag, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { runStatuses } from "../runs/runs";

export const scheduleKinds = ["cron", "interval", "once"] as const;
export const scheduleActions = ["prompt", "reminder"] as const;
export const missedRunPolicies = ["run_once", "skip"] as const;
export const scheduleRunStatuses = ["started", "skipped", "failed"] as const;
export const scheduleTriggers = ["clock", "person"] as const;

export const maxScheduleText = 4_000;
export const minIntervalSeconds = 60;
export const maxIntervalSeconds = 31 * 86_400;

const name = z.string().trim().min(1, "needs a name").max(100, "at most 100 characters");
const text = z.string().trim().min(1, "needs a text").max(maxScheduleText, "at most 4,000 characters");
const timezone = z.string().trim().min(1).max(100).describe("IANA name, such as Europe/Paris");

export const ScheduleTiming = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("cron"),
    expression: z.string().trim().min(9, "needs five fields").max(100, "at most 100 characters").describe("Five cron fields."),
  }),
  z.strictObject({
    kind: z.literal("interval"),
    everySeconds: z.int("must be whole seconds").min(minIntervalSeconds, "at least 60 seconds").max(maxIntervalSeconds, "at most 31 days"),
  }),
  z.strictObject({ kind: z.literal("once"), at: Timestamp }),
]);
export type ScheduleTiming = z.infer<typeof ScheduleTiming>;

const settings = {
  name,
  action: z
    .enum(scheduleActions)
    .default("prompt")
    .describe("`prompt`: the text is for the agent's model. `reminder`: the text goes to people as it is, past every model."),
  text,
  timing: ScheduleTiming,
  timezone: timezone.default("UTC").describe("Time zone of the cron fields; an IANA name such as Europe/Paris."),
  missed: z
    .enum(missedRunPolicies)
    .default("run_once")
    .describe("Runs that were missed while no server was up: `run_once` makes up for all of them by one late run, `skip` leaves them out."),
  enabled: z.boolean().default(true).describe("Off: the schedule is paused."),
};

const examples = [
  { name: "Morning report", text: "Summarise what changed since yesterday.", timing: { kind: "cron" as const, expression: "0 9 * * 1-5" } },
];

export const ScheduleDraft = z
  .strictObject({ ...settings, agent: z.string().max(200).optional().describe("Name or id; the default agent when absent.") })
  .meta({ examples });
export type ScheduleDraft = z.infer<typeof ScheduleDraft>;

export const ScheduleUpdate = z.strictObject(settings).meta({ examples });
export type ScheduleUpdate = z.infer<typeof ScheduleUpdate>;

export const Schedule = z
  .object({
    id: Id,
    agentId: Id,
    agent: z.string().describe("Name of the agent."),
    conversationId: Id.nullable().describe("The conversation in which the agent made the schedule; null when a person made it."),
    name: z.string(),
    action: z.enum(scheduleActions),
    text: z.string(),
    timing: ScheduleTiming,
    timezone: z.string(),
    missed: z.enum(missedRunPolicies),
    enabled: z.boolean(),
    pausedReason: z.string().nullable().describe("Why Handrail paused the schedule; null when a person did, or when it runs."),
    nextRunAt: Timestamp.nullable().describe("Null while it is paused, and after its only run."),
    lastRunAt: Timestamp.nullable(),
    lastStatus: z.enum(scheduleRunStatuses).nullable(),
    createdBy: ActorRef,
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Schedule" });
export type Schedule = z.infer<typeof Schedule>;

export const ScheduleRun = z
  .object({
    id: Id,
    scheduleId: Id,
    schedule: z.string().describe("Name of the schedule."),
    agentId: Id,
    status: z
      .enum(scheduleRunStatuses)
      .describe("`skipped`: it was due while no server was up. `failed`: the agent's run could not start."),
    error: z.string().nullable().describe("Why the agent's run could not start."),
    runId: Id.nullable().describe("The agent's run; null when the agent has no model, and for reminders."),
    runStatus: z.enum(runStatuses).nullable().describe("Status of the agent's run."),
    trigger: z.enum(scheduleTriggers),
    action: z.enum(scheduleActions),
    text: z.string().describe("The text at the time of the run."),
    dueAt: Timestamp,
    conversationId: Id.nullable().describe("The conversation that the run opened; null when it was skipped or deleted."),
    createdAt: Timestamp,
  })
  .meta({ id: "ScheduleRun" });
export type ScheduleRun = z.infer<typeof ScheduleRun>;

export const SchedulePreview = z.object({ times: z.array(Timestamp).describe("The next runs, at most five.") });

export const ScheduleFilter = z.object({ agentId: Id.optional(), enabled: queryFlag.optional() });
export type ScheduleFilter = z.infer<typeof ScheduleFilter>;

export const ScheduleRunFilter = z.object({ scheduleId: Id.optional() });
export type ScheduleRunFilter = z.infer<typeof ScheduleRunFilter>;

const params = z.object({ id: Id });

export const scheduleEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/schedules",
    summary: "Schedules of the workspace with their next and last runs; a bound key sees its agent's",
    permission: "turns:read",
    query: ScheduleFilter.extend(pageQuery),
    response: listOf(Schedule),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/schedules",
    summary: "Add a schedule",
    permission: "schedules:write",
    body: ScheduleDraft,
    response: Schedule,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/schedules/{id}",
    summary: "One schedule",
    permission: "turns:read",
    params,
    response: Schedule,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/schedules/{id}",
    summary: "Replace a schedule's settings, pause it or resume it",
    headers: ["If-Match"],
    permission: "schedules:write",
    params,
    body: ScheduleUpdate,
    response: Schedule,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/schedules/{id}",
    summary: "Remove a schedule with its history; the conversations of its runs stay",
    headers: ["If-Match"],
    permission: "schedules:write",
    params,
    response: Empty,
  }),
  run: endpoint({
    method: "POST",
    path: "/api/v1/schedules/{id}/run",
    summary: "Run a schedule now; its next run stays where it is",
    permission: "schedules:write",
    params,
    response: ScheduleRun,
    status: 201,
  }),
  listRuns: endpoint({
    method: "GET",
    path: "/api/v1/schedules/runs",
    summary: "Runs of the last 30 days, newest first",
    permission: "turns:read",
    query: ScheduleRunFilter.extend(pageQuery),
    response: listOf(ScheduleRun),
  }),
  preview: endpoint({
    method: "POST",
    path: "/api/v1/schedules/preview",
    summary: "The next times of a timing, before it is saved",
    permission: "schedules:write",
    body: z
      .strictObject({ timing: ScheduleTiming, timezone: timezone.default("UTC") })
      .meta({ examples: [{ timing: { kind: "cron", expression: "0 9 * * 1-5" }, timezone: "Europe/Berlin" }] }),
    response: SchedulePreview,
  }),
};

export const scheduleContract = defineContract({
  reference: {
    name: "Schedules",
    description:
      "Prompts and reminders by the clock. Each run opens a conversation of origin `cron`, publishes `schedule.fired` and starts a run of an agent that has a model.",
  },
  glossary: {
    "missed run": "A run of a schedule that was due while no server was up; it is made up for once, or skipped.",
    reminder: "A schedule whose text goes to people as it is, past every model.",
    "run (of a schedule)": "One time that a schedule opened a conversation, or was skipped.",
    schedule: "A prompt or a reminder with the times at which it runs.",
  },
  endpoints: scheduleEndpoints,
  origins: ["cron"],
  permissions: { "schedules:write": "Add, change, run and remove schedules" },
  implies: { "schedules:write": ["turns:read"] },
  audit: {
    "schedule.created": "Schedule created",
    "schedule.updated": "Schedule updated",
    "schedule.removed": "Schedule removed",
    "schedule.fired": "Schedule ran",
    "schedule.skipped": "Missed run skipped",
    "schedule.failed": "Run of a schedule could not start",
    "schedule.paused": "Schedule paused by Handrail",
  },
  events: { "schedule.fired": { label: "Schedule ran", explanation: "A schedule opened a conversation for its prompt or reminder" } },
  navigation: { label: "Schedules", path: "/schedules", icon: "IconCalendarClock", key: "c", group: "agents", after: "/workflows" },
});
