import { z } from "zod";
import { outcomeGroups } from "../calls/call-outcomes";
import { callStatuses } from "../calls/call-statuses";
import { ContentPart } from "../calls/content-part";
import { FinishedJob } from "../calls/jobs";
import { ActorRef, Id, Json, JsonObject, listOf, pageQuery, Timestamp } from "../common";
import { Decision } from "../decisions/decision";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { HookStep } from "../hooks/hooks";
import { CallbackUrl } from "../hooks/webhooks";

export const turnStatuses = ["running", "suspended", "completed", "cancelled"] as const;
export type TurnStatus = (typeof turnStatuses)[number];

export const turnEventNames = [
  "turn.started",
  "call.started",
  "call.released",
  "call.progress",
  "call.step",
  "call.answered",
  "call.promoted",
  "call.direct_result",
  "call.finished",
  "approval.requested",
  "approval.decided",
  "turn.suspended",
  "turn.resumed",
  "turn.recovered",
  "turn.finished",
] as const;
export type TurnEventName = (typeof turnEventNames)[number];

/** Limit of calls per turn; the calls beyond it end with the request to send them again. */
export const maxCallsPerTurn = 16;

export { ContentPart };

export const Call = z
  .object({
    id: z.string().describe("The runtime's own id of the call."),
    callId: Id,
    name: z.string().describe("Canonical name; `requestedName` is what the model wrote."),
    requestedName: z.string(),
    carriedBy: z
      .string()
      .nullable()
      .describe(
        "The tool in whose arguments the model sent this call, such as `tool_call`, or whose app made it; `null` for a direct call.",
      ),
    arguments: Json,
    sentArguments: JsonObject.optional().describe(
      "What the model sent, when hooks changed it; `arguments` is what was decided on and run.",
    ),
    askedArguments: JsonObject.optional().describe("What was asked, when an approver changed it; `arguments` is what runs."),
    editedBy: ActorRef.optional().describe("The approver who changed the arguments."),
    hooks: z.array(HookStep).optional().describe("What hooks did with the call, in order; absent when none was for it."),
    runner: z.literal("client").optional().describe("The client runs the call on its own machine; absent when Handrail runs it."),
    status: z.enum(callStatuses),
    isError: z.boolean(),
    content: z.string().describe("What goes to the model as the tool's result."),
    contentParts: z.array(ContentPart).optional(),
    structuredContent: JsonObject.optional(),
    directContent: z.string().optional().describe("For the user, not for the model: what a tool returned that returns directly."),
    truncated: z.object({ originalChars: z.number().int(), artifactId: Id }).nullable(),
    decision: Decision.nullable(),
    approvalId: Id.nullable(),
    jobId: Id.nullable().describe("The background job that the call became; its result comes with a later turn."),
    durationMs: z.number().int().nullable(),
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "Call" });
export type Call = z.infer<typeof Call>;

export const Turn = z
  .object({
    id: Id,
    conversationId: Id,
    status: z.enum(turnStatuses),
    calls: z.array(Call),
    finishedJobs: z
      .array(FinishedJob)
      .optional()
      .describe("Results of background jobs that ended since the last turn, for the model; each is told with one turn only."),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "Turn" });
export type Turn = z.infer<typeof Turn>;

/** A turn as a line of a list: one argument per call, and no results. */
export const TurnSummary = z
  .object({
    id: Id,
    conversationId: Id,
    title: z.string().nullable().describe("The conversation's `metadata.title`, else its `externalId`."),
    agent: z.string(),
    status: z.enum(turnStatuses),
    isAsking: z.boolean().describe("One of its tools runs and waits for a person's answer."),
    calls: z.array(
      z.object({
        name: z.string(),
        status: z.enum(callStatuses),
        summary: z.string().describe("The argument that the call is about, on one line of at most 160 characters; secrets masked."),
        editedBy: ActorRef.optional().describe("The approver who changed the arguments; `summary` is what runs."),
      }),
    ),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "TurnSummary" });
export type TurnSummary = z.infer<typeof TurnSummary>;

export const TurnFilter = z.object({
  status: z.enum(turnStatuses).optional(),
  conversationId: Id.optional(),
  agent: z.string().max(64).optional().describe("Name of the agent."),
  tool: z.string().max(64).optional().describe("Canonical name of a tool that the turn called."),
  outcome: z.enum(outcomeGroups).optional().describe("At least one call ended so; with `tool`, one of that tool."),
  query: z.string().trim().max(200).optional().describe("Words in a call's arguments or in the title of the conversation."),
  from: Timestamp.optional().describe("Submitted then or later."),
  to: Timestamp.optional().describe("Submitted before."),
});
export type TurnFilter = z.infer<typeof TurnFilter>;

const isWhole = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
const notWhole = "must not hold a NUL character or half of a surrogate pair";

/**
 * A JSON object exactly as it was sent. zod's record drops a member called `__proto__`, so the call would run with less
 * than the model wrote; with the member kept, the call fails by itself.
 */
const WrittenObject = z
  .unknown()
  .refine((value) => typeof value === "object" && value !== null && !Array.isArray(value), "must be an object or a text")
  .meta({ type: "object", additionalProperties: { $ref: "#/components/schemas/Json" } }) as unknown as z.ZodType<JsonObject>;

const maxMetaChars = 16_384;

export const SubmittedCall = z.strictObject({
  id: z.string().min(1).max(200).refine(isWhole, notWhole),
  name: z.string().min(1).max(200),
  arguments: z
    .union([WrittenObject, z.string().max(1_048_576)])
    .default({})
    .describe("An object, or the JSON text that the model wrote."),
  meta: JsonObject.optional()
    .refine((meta) => meta === undefined || JSON.stringify(meta).length <= maxMetaChars, `has more than ${maxMetaChars} characters as JSON`)
    .describe("`_meta` for the tool's MCP server, which gets it as it is. No model and no rule reads it."),
});
export type SubmittedCall = z.infer<typeof SubmittedCall>;

export const TurnDraft = z
  .strictObject({
    calls: z.array(SubmittedCall).min(1).max(128),
    callbackUrl: CallbackUrl.optional().describe("Receives `turn.finished` as a signed webhook."),
    wait: z.number().min(0).max(60).default(30).describe("Seconds to wait for the turn to finish before answering 202."),
    afterUserMessage: z
      .boolean()
      .default(false)
      .describe("The user has written since the last turn: calls that failed too often to be run again may be tried once more."),
  })
  .refine(({ calls }) => new Set(calls.map(({ id }) => id)).size === calls.length, {
    path: ["calls"],
    message: "two calls have the same id",
  })
  .meta({ examples: [{ calls: [{ id: "call_1", name: "date_time", arguments: { timezone: "Europe/Berlin" } }] }] });
export type TurnDraft = z.infer<typeof TurnDraft>;

const wait = z.coerce.number().min(0).max(60).default(0);

export const turnEndpoints = {
  submit: endpoint({
    method: "POST",
    path: "/api/v1/conversations/{id}/turns",
    summary: "Submit the tool calls of one model reply; header Idempotency-Key makes a retry safe",
    headers: ["Idempotency-Key"],
    permission: "turns:write",
    params: z.object({ id: Id }),
    body: TurnDraft,
    modelTexts: ["calls"],
    response: Turn,
    otherStatuses: { 202: "The turn goes on: it waits for a person, or takes longer than `wait`. `Location` is where to ask for it." },
    mayBeTooMany: true,
  }),
  listOfConversation: endpoint({
    method: "GET",
    path: "/api/v1/conversations/{id}/turns",
    summary: "Turns of a conversation, newest first",
    permission: "turns:read",
    params: z.object({ id: Id }),
    query: z.object(pageQuery),
    response: listOf(Turn),
  }),
  list: endpoint({
    method: "GET",
    path: "/api/v1/turns",
    summary: "Turns of all conversations, newest first, without results",
    permission: "turns:read",
    query: TurnFilter.extend(pageQuery),
    response: listOf(TurnSummary),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/turns/{id}",
    summary: "One turn; with `wait`, answers when its status changes or the time is up",
    permission: "turns:read",
    params: z.object({ id: Id }),
    query: z.object({ wait }),
    response: Turn,
  }),
  events: endpoint({
    method: "GET",
    path: "/api/v1/turns/{id}/events",
    summary: "Events of a turn as they happen; Last-Event-ID resumes",
    headers: ["Last-Event-ID"],
    permission: "turns:read",
    params: z.object({ id: Id }),
    responseType: "text/event-stream",
  }),
  answer: endpoint({
    method: "POST",
    path: "/api/v1/turns/{id}/calls/{callId}/answer",
    summary: "Answer what a running tool asks (`call.step` with `ask`); needs `approvals:decide`, or an API key with `turns:write`",
    permission: "turns:read",
    params: z.object({ id: Id, callId: Id }),
    body: z
      .strictObject({
        question: z.number().int().min(0).describe("Number of the question, from its event."),
        text: z.string().trim().min(1).max(10_000).refine(isWhole, notWhole),
      })
      .meta({ examples: [{ question: 0, text: "The second one" }] }),
    response: Turn,
  }),
  promote: endpoint({
    method: "POST",
    path: "/api/v1/turns/{id}/calls/{callId}/promote",
    summary: "Move a running call to the background: the turn goes on, the result comes with a later one",
    permission: "turns:write",
    params: z.object({ id: Id, callId: Id }),
    response: Turn,
  }),
  cancel: endpoint({
    method: "POST",
    path: "/api/v1/turns/{id}/cancel",
    summary: "Stop a turn: running tools get the abort signal, pending approvals are cancelled",
    permission: "turns:write",
    params: z.object({ id: Id }),
    response: Turn,
  }),
};

export const turnContract = defineContract({
  reference: {
    name: "Turns",
    description: "The tool calls of one model reply, submitted together. A turn may wait for a person and goes on by itself.",
  },
  glossary: {
    "agent runtime": "The program that talks to a language model and submits the model's tool calls to Handrail.",
    barrier: "The first call of a segment that has to wait for a person.",
    call: "Short for *tool call*.",
    drift: "A difference between the approved call and the call that would run now.",
    "durable wait":
      "What a running call waits for when its rows say when it is over: another run, or a background job. Its run is let go meanwhile.",
    "idempotency key": "A caller's name for a submission, so that a repetition returns the same turn.",
    journal: "The ordered events of a turn, from which streams and recovery read.",
    outcome: "The final status of a call, such as `succeeded`, `failed`, `denied`, `rejected`, `expired` or `interrupted`.",
    recovery: "The continuation of turns whose process died; calls with an unknown outcome become `interrupted`.",
    segment: "The calls of a turn that are planned and run together, up to the next barrier.",
    "step (of a turn)": "One of the seven stages that a turn passes: admit, plan, decide, execute, settle, gate, save.",
    "tool call": "One use of a tool in a turn, with arguments and an outcome.",
    transition: "A change of a turn or a call from one status to the next.",
    turn: "The tool calls of one model reply, submitted together; a turn may be suspended.",
  },
  endpoints: turnEndpoints,
  permissions: { "turns:read": "Read conversations and turns", "turns:write": "Open conversations and submit turns" },
  roles: { approver: ["turns:read"], viewer: ["turns:read"] },
  implies: { "turns:write": ["turns:read"] },
  audit: {
    "turn.cancelled": "Turn cancelled",
    "turn.recovered": "Turn recovered",
  },
  events: {
    "turn.finished": { label: "Turn finished", explanation: "All calls of a turn have results" },
    "turn.suspended": { label: "Turn suspended", explanation: "A turn needs approval" },
  },
  navigation: { label: "Turns", path: "/turns", icon: "IconActivity", key: "r", group: "work", after: "/approvals" },
});
