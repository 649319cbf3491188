import { z } from "zod";
import { Empty, Id, Json, JsonObject, listOf, pageQuery, Timestamp } from "./common";
import { endpoint } from "./endpoint";
import { ToolPattern } from "./guard";
import { CallbackUrl } from "./webhooks";

/** The five points of an agent's work at which hooks run. */
export const hookEvents = ["before_tool", "after_tool", "before_llm", "after_llm", "on_error"] as const;
export const HookEvent = z.enum(hookEvents);
export type HookEvent = z.infer<typeof HookEvent>;

/** Those that a runtime which calls its own model asks for. */
export const runtimeHookEvents = ["before_llm", "after_llm", "on_error"] as const;
export type RuntimeHookEvent = (typeof runtimeHookEvents)[number];

/** What became of one run of a hook. `answered`: it had the answer, and the call or the model was not needed. */
export const hookOutcomes = ["unchanged", "changed", "denied", "answered", "failed", "timed_out", "skipped"] as const;
export type HookOutcome = (typeof hookOutcomes)[number];

export const hookCacheScopes = ["conversation", "agent", "workspace"] as const;

/** Longest that a hook may take, in milliseconds. */
export const longestHookMs = 3_000;

const pointer = z
  .string()
  .max(500)
  .regex(/^(\/([^~]|~[01])*)?$/, "write a JSON pointer such as /path or /messages/0/content")
  .describe("JSON pointer (RFC 6901): `/path`, `/messages/0/content`.");
const anywhere = pointer.nullable().default(null);
const pattern = z.string().min(1).max(1_000).describe("RE2 syntax, linear time.");
const names = z.array(z.string().trim().min(1).max(200)).max(50);
const sentence = z.string().trim().max(500);

export const HookAction = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("redact"),
    pattern,
    replacement: z.string().max(200).default("[redacted]").describe("Stands as it is: `$1` means nothing here."),
    pointer: anywhere.describe("Only below this place; null: every text."),
  }),
  z.strictObject({
    type: z.literal("mask"),
    fields: names.min(1, "name at least one field").describe("Names of members, wherever they stand, or JSON pointers."),
  }),
  z.strictObject({ type: z.literal("set"), pointer: pointer.min(2, "name the place to set"), value: Json }),
  z.strictObject({
    type: z.literal("inject"),
    pointer: pointer
      .min(2, "name the place to fill")
      .describe("`/messages/-` appends and `/messages/0` puts in front, unless an equal element is there."),
    value: Json,
  }),
  z
    .strictObject({
      type: z.literal("validate"),
      pointer: anywhere.describe("What is looked at; null: all of it."),
      pattern: pattern.nullable().default(null),
      schema: JsonObject.nullable().default(null).describe("JSON schema, draft 2020-12."),
      message: sentence.default("").describe("What to send instead, for the model."),
    })
    .refine(({ pattern, schema }) => pattern !== null || schema !== null, { path: ["pattern"], message: "needs a pattern or a schema" }),
  z.strictObject({ type: z.literal("deny"), reason: sentence.min(1, "say why: the model reads it") }),
  z
    .strictObject({
      type: z.literal("filter"),
      keep: names.default([]).describe("Only these members stay; empty: all of them."),
      drop: names.default([]).describe("These members go, wherever they stand."),
      lines: z.strictObject({ pattern, keep: z.boolean() }).nullable().default(null).describe("Lines that match stay (`keep`), or go."),
    })
    .refine(({ keep, drop, lines }) => keep.length + drop.length > 0 || lines !== null, {
      path: ["keep"],
      message: "say what to keep or drop",
    }),
  z.strictObject({ type: z.literal("truncate"), maxChars: z.number().int().min(1).max(1_000_000), pointer: anywhere }),
  z.strictObject({
    type: z.literal("audit"),
    note: sentence.default(""),
    fields: z.array(pointer).max(20).default([]).describe("What of it goes into the row, secrets masked."),
  }),
  z.strictObject({
    type: z.literal("webhook"),
    url: CallbackUrl,
    decides: z
      .boolean()
      .default(false)
      .describe("`before_*` only: its answer `{ allow?, arguments?, reason? }` counts (`request` instead of `arguments` for a model)."),
  }),
  z.strictObject({
    type: z.literal("cache"),
    ttlSeconds: z.number().int().min(1).max(86_400).default(300),
    scope: z
      .enum(hookCacheScopes)
      .default("conversation")
      .describe("Whose equal calls get a kept answer. A model's is kept only for the key or person who told it, whatever the scope."),
  }),
  z.strictObject({ type: z.literal("count_tokens") }),
  z.strictObject({ type: z.literal("fall_back"), result: z.union([z.string().max(100_000), JsonObject]) }),
  z.strictObject({
    type: z.literal("judge"),
    url: CallbackUrl.nullable()
      .default(null)
      .describe("Answers `{ allow, reason? }`. Null: no judge is configured, and every call is refused."),
    instructions: z.string().trim().max(4_000).default("").describe("What it should look at; sent along."),
  }),
]);
export type HookAction = z.infer<typeof HookAction>;
export type HookActionType = HookAction["type"];

/** Where each action makes sense. */
export const actionEvents: Record<HookActionType, readonly HookEvent[]> = {
  redact: hookEvents,
  mask: hookEvents,
  set: ["before_tool", "after_tool", "before_llm", "after_llm"],
  inject: ["before_tool", "after_tool", "before_llm", "after_llm"],
  validate: ["before_tool", "after_tool", "before_llm", "after_llm"],
  deny: ["before_tool", "after_tool", "before_llm", "after_llm"],
  filter: ["after_tool", "after_llm"],
  truncate: ["after_tool", "before_llm", "after_llm", "on_error"],
  audit: hookEvents,
  webhook: hookEvents,
  cache: ["before_tool", "before_llm"],
  count_tokens: ["after_tool", "before_llm", "after_llm"],
  fall_back: ["on_error"],
  judge: ["before_tool", "before_llm"],
};
export const hookActionTypes = Object.keys(actionEvents) as HookActionType[];

export const HookMatch = z.strictObject({
  tool: ToolPattern.default("*").describe("As in a rule: a name, a glob, `source:`, `effect:`, `surface:` or `needs:`."),
  agentId: Id.nullable().default(null).describe("Only calls of this agent."),
  argument: z
    .strictObject({ pointer, pattern })
    .nullable()
    .default(null)
    .describe("Only calls with an argument that matches; for model events, the request, reply or error."),
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
  timeoutMs: z.number().int().min(50).max(longestHookMs).default(longestHookMs),
  ratePerMinute: z
    .number()
    .int()
    .min(1)
    .max(6_000)
    .default(60)
    .describe("Runs a minute on one replica; beyond them it is skipped, which is recorded."),
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

/** What a hook being written would do; nothing is sent, stored or run. */
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

/** Reading needs `guard:read`; addresses are shown whole only to who may change hooks. */
export const hookEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/hooks",
    summary: "Hooks in the order in which they run",
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
