import { z } from "zod";
import { Empty, Id, Json, JsonObject, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { ToolPattern } from "../guard/guard";
import { actionEvents, callsOut, HookAction, HookEvent, HookPattern, HookPointer } from "./hook-actions";

/** Events for which the runtime asks Handrail, because the runtime calls the model itself. */
export const runtimeHookEvents = ["before_llm", "after_llm", "on_error"] as const;
export type RuntimeHookEvent = (typeof runtimeHookEvents)[number];

/** Outcomes of a hook run. `answered`: the hook supplied the answer, so the call or the model request was not needed. */
export const hookOutcomes = ["unchanged", "changed", "denied", "answered", "failed", "timed_out", "skipped"] as const;
export type HookOutcome = (typeof hookOutcomes)[number];

/** Longest run of a hook, in milliseconds. */
export const maxHookMs = 3_000;

/** Longest run of a judge that is an agent: its model answers in seconds. */
export const maxJudgeMs = 20_000;

/** Default limit of runs per minute for a hook that calls another program. */
export const defaultHookRate = 60;

export const HookMatch = z.strictObject({
  tool: ToolPattern.default("*").describe("As in a rule: a name, a glob, `source:`, `effect:`, `surface:` or `needs:`."),
  agentId: Id.nullable().default(null).describe("Only calls of this agent."),
  argument: z
    .strictObject({ pointer: HookPointer, pattern: HookPattern })
    .nullable()
    .default(null)
    .describe("Only calls with an argument that matches, of several places one; for model events, the request, reply or error."),
});
export type HookMatch = z.infer<typeof HookMatch>;

const settings = {
  name: z.string().trim().min(1, "needs a name").max(100),
  event: HookEvent,
  match: HookMatch.default({ tool: "*", agentId: null, argument: null }),
  action: HookAction,
  order: z
    .number()
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .default(100)
    .describe("Lower ones run first; each sees what the one before made of it."),
  enabled: z.boolean().default(true),
  timeoutMs: z
    .number()
    .int()
    .min(50)
    .max(maxJudgeMs)
    .default(maxHookMs)
    .describe(`At most ${maxHookMs}; of a judge that is an agent ${maxJudgeMs}.`),
  ratePerMinute: z
    .number()
    .int()
    .min(1)
    .max(6_000)
    .nullable()
    .default(null)
    .describe(
      `Of \`webhook\` and \`judge\`: runs a minute on one replica (${defaultHookRate} when null); more are skipped and recorded. Null for all others: they have no rate.`,
    ),
};

export const HookDraft = z
  .strictObject(settings)
  .refine(({ event, action }) => actionEvents[action.type].includes(event), {
    path: ["action", "type"],
    message: "this action does not go with this event",
  })
  .refine(({ event, action }) => action.type !== "webhook" || !action.decides || event.startsWith("before_"), {
    path: ["action", "decides"],
    message: "only a hook that runs before can decide",
  })
  .refine(({ action, timeoutMs }) => timeoutMs <= maxHookMs || (action.type === "judge" && action.agentId !== null), {
    path: ["timeoutMs"],
    message: `at most ${maxHookMs}: only a judge that is an agent may take longer`,
  })
  .refine(({ action, ratePerMinute }) => ratePerMinute === null || callsOut(action.type), {
    path: ["ratePerMinute"],
    message: "only a webhook and a judge have a rate: leave it out, because every other action runs each time",
  })
  .meta({
    examples: [
      {
        name: "No card numbers",
        event: "after_tool",
        match: { tool: "source:mcp" },
        action: { type: "redact", pattern: "\\b\\d{4}( ?\\d{4}){3}\\b" },
      },
    ],
  });
export type HookDraft = z.infer<typeof HookDraft>;

export const Hook = z
  .object({
    id: Id,
    ...settings,
    availability: z
      .object({ status: z.enum(["available", "unavailable"]), reason: z.string().nullable() })
      .describe("Unavailable: what it needs is not configured; a `before_*` hook then refuses what it matches."),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Hook" });
export type Hook = z.infer<typeof Hook>;

/** One place that a hook changed. */
export const HookChange = z
  .object({
    path: z.string().describe("JSON pointer into the arguments, the result, the request or the reply."),
    before: Json.optional().describe("Absent when it was not there, or when it is hidden."),
    after: Json.optional(),
    hidden: z.boolean().describe("The hook hides what stood here, so nobody is shown it."),
  })
  .meta({ id: "HookChange" });
export type HookChange = z.infer<typeof HookChange>;

export const HookStep = z
  .object({
    hookId: Id,
    name: z.string(),
    event: HookEvent,
    action: z.string(),
    outcome: z.enum(hookOutcomes),
    message: z.string().nullable().describe("Why, in words; null when there is nothing to say."),
    durationMs: z.number(),
    changes: z.array(HookChange),
  })
  .meta({ id: "HookStep" });
export type HookStep = z.infer<typeof HookStep>;

export const HookRun = HookStep.extend({
  id: Id,
  at: Timestamp,
  agent: z.string(),
  tool: z.string().nullable(),
  conversationId: Id,
  turnId: Id.nullable(),
  callId: Id.nullable(),
  data: JsonObject.describe("What the action noted: tokens, the fields of an audit row."),
}).meta({ id: "HookRun" });
export type HookRun = z.infer<typeof HookRun>;

export const HookRunFilter = z.object({
  hookId: Id.optional(),
  event: HookEvent.optional(),
  outcome: z.enum(hookOutcomes).optional(),
  callId: Id.optional(),
  conversationId: Id.optional(),
});
export type HookRunFilter = z.infer<typeof HookRunFilter>;

/** Outcome of an unsaved hook; nothing is sent, stored or run. */
export const HookTrial = z
  .object({
    callId: Id.nullable().describe("The call that it was tried on."),
    matches: z.boolean(),
    why: z.string().describe("Why it matches, or what keeps it from that."),
    step: HookStep.nullable().describe("Null when it does not match."),
    before: JsonObject.describe("Secrets masked."),
    after: JsonObject.describe("Secrets masked."),
    sentence: z.string().nullable().describe("What the model would read, when the hook refuses."),
    candidates: z
      .array(z.object({ callId: Id, tool: z.string(), at: Timestamp }))
      .describe("The newest recorded calls that the hook is for, to try it on."),
  })
  .meta({ id: "HookTrial" });
export type HookTrial = z.infer<typeof HookTrial>;

export const LlmHookInput = z
  .strictObject({
    request: JsonObject.optional().describe(
      "What goes to the model, in the runtime's own shape. After the model: as `before_llm` answered it.",
    ),
    reply: JsonObject.optional().describe("What the model answered."),
    error: JsonObject.optional().describe("What went wrong, such as `{ message, status }`."),
  })
  .meta({ examples: [{ request: { messages: [{ role: "user", content: "Hello" }] } }] });
export type LlmHookInput = z.infer<typeof LlmHookInput>;

export const LlmHookAnswer = z
  .object({
    request: JsonObject.nullable(),
    reply: JsonObject.nullable().describe("After the hooks; for `before_llm` from a cache, for `on_error` what a hook falls back to."),
    error: JsonObject.nullable(),
    skip: z.boolean().describe("The model is not to be called: `reply` is its answer, or `denied` says why there is none."),
    denied: z.string().nullable().describe("A sentence that says which hook refused, and why."),
    hooks: z.array(HookStep),
  })
  .meta({ id: "LlmHookAnswer" });
export type LlmHookAnswer = z.infer<typeof LlmHookAnswer>;

const params = z.object({ id: Id });

/** Reading needs `guard:read`; full addresses are shown only to actors who may change hooks. */
export const hookEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/hooks",
    summary: "Hooks in order",
    permission: "guard:read",
    query: z.object(pageQuery),
    response: listOf(Hook),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/hooks",
    summary: "Add a hook",
    permission: "hooks:write",
    body: HookDraft,
    response: Hook,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/hooks/{id}",
    summary: "One hook",
    permission: "guard:read",
    params,
    response: Hook,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/hooks/{id}",
    summary: "Replace a hook",
    headers: ["If-Match"],
    permission: "hooks:write",
    params,
    body: HookDraft,
    response: Hook,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/hooks/{id}",
    summary: "Remove a hook; its runs stay in the list for as long as others do",
    headers: ["If-Match"],
    permission: "hooks:write",
    params,
    response: Empty,
  }),
  order: endpoint({
    method: "POST",
    path: "/api/v1/hooks/order",
    summary: "Set the order of the hooks: the first id runs first",
    permission: "hooks:write",
    body: z.strictObject({ ids: z.array(Id).min(1).max(200) }),
    response: listOf(Hook),
  }),
  tryOut: endpoint({
    method: "POST",
    path: "/api/v1/hooks/try",
    summary: "What a hook would do to a recorded call, or to an example; sends, stores and runs nothing",
    permission: "hooks:write",
    body: z
      .strictObject({
        hook: HookDraft,
        callId: Id.nullable()
          .default(null)
          .describe("A recorded call of the workspace; null without an example: the newest that the hook is for."),
        example: z
          .strictObject({ tool: z.string().min(1).max(200).nullable().default(null), value: JsonObject })
          .nullable()
          .default(null)
          .describe("Instead of a call: the arguments, result, request, reply or error that the hook would see."),
      })
      .refine(({ callId, example }) => callId === null || example === null, {
        path: ["callId"],
        message: "give a call or an example, not both",
      }),
    modelTexts: ["example"],
    response: HookTrial,
  }),
  listRuns: endpoint({
    method: "GET",
    path: "/api/v1/hooks/runs",
    summary: "Runs of hooks in the last 14 days, newest first",
    permission: "guard:read",
    query: HookRunFilter.extend(pageQuery),
    response: listOf(HookRun),
  }),
  runForLlm: endpoint({
    method: "POST",
    path: "/api/v1/conversations/{id}/hooks/{event}",
    summary: "Run the hooks around a model call that the runtime makes itself",
    permission: "turns:write",
    params: z.object({ id: Id, event: z.enum(runtimeHookEvents) }),
    body: LlmHookInput,
    modelTexts: ["request", "reply", "error"],
    maxBodyBytes: 8 * 1_048_576,
    response: LlmHookAnswer,
  }),
};

export const hookContract = defineContract({
  reference: { name: "Hooks", description: "What is done to calls, results and model requests on their way, and what became of each run." },
  glossary: {
    hook: "A stored action that runs at `before_tool`, `after_tool`, `before_llm`, `after_llm` or `on_error`.",
    "hook run": "One execution of a hook, with its outcome and its changes.",
  },
  endpoints: hookEndpoints,
  permissions: { "hooks:write": "Change hooks and webhooks, read what was delivered" },
  audit: {
    "hook.created": "Hook created",
    "hook.updated": "Hook updated",
    "hook.removed": "Hook removed",
    "hooks.reordered": "Hooks reordered",
    "hook.noted": "Hook note",
  },
  navigation: { label: "Hooks", path: "/hooks", icon: "IconGitBranch", key: "h", group: "rules", after: "/guard" },
});
