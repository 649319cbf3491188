import { z } from "zod";
import { ActorRef, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const runStatuses = ["queued", "running", "waiting", "succeeded", "failed", "cancelled", "limited"] as const;
export type RunStatus = (typeof runStatuses)[number];
export const openRunStatuses = ["queued", "running", "waiting"] as const satisfies readonly RunStatus[];

/**
 * Limits that end a run before its answer is complete. `output`: the model's own limit of one reply; `loop`: the same call again and
 * again; `reply`: every attempt at a reply was empty, broke off or was filtered.
 */
export const runLimitNames = ["steps", "tokens", "cost", "time", "output", "loop", "reply"] as const;
export type RunLimitName = (typeof runLimitNames)[number];

const steps = z.int().min(1).max(500);
const tokens = z.int().min(1).max(100_000_000);
const costUsd = z.number().positive().max(100_000);
const seconds = z.int().min(1).max(86_400);
const contextTokens = z.int().min(2_000).max(10_000_000);

/** The size of a context above which its older messages are summarised. */
export const defaultContextTokens = 100_000;

export const RunLimits = z
  .object({
    steps: steps.describe("Requests to the model with tools; after the last one the model gives its answer without tools."),
    tokens: tokens.describe("Input and output tokens of all steps."),
    costUsd: costUsd.nullable().describe("US dollars; `null`: no limit. It needs models with prices."),
    seconds: seconds.describe("Time since the start, without the time in which the run waited."),
    contextTokens: contextTokens
      .default(defaultContextTokens)
      .describe("Size of a request above which older messages are summarised; less for a model with a smaller context."),
  })
  .meta({ id: "RunLimits" });
export type RunLimits = z.infer<typeof RunLimits>;

/** Limits of an agent's runs; what a request asks for can only be lower. */
export const AgentRunLimits = z.strictObject({
  steps: steps.default(50),
  tokens: tokens.default(1_000_000),
  costUsd: costUsd.nullable().default(null),
  seconds: seconds.default(3_600),
  contextTokens: contextTokens
    .default(defaultContextTokens)
    .describe("Size of a request above which older messages are summarised; less for a model with a smaller context."),
  concurrentRuns: z.int().min(1).max(1_000).default(10).describe("Unfinished runs of the agent at the same time."),
});
export type AgentRunLimits = z.infer<typeof AgentRunLimits>;

export const RunModel = z.strictObject({ providerId: Id, model: z.string().trim().min(1).max(200) });
export type RunModel = z.infer<typeof RunModel>;

/** Settings of the replies of an agent's models; `null`: the model's own. */
export const ModelSettings = z.strictObject({
  temperature: z.number().min(0).max(2).nullable().default(null).describe("0 to 2; higher is more varied."),
  maxOutputTokens: z.int().min(1).max(1_000_000).nullable().default(null).describe("Most tokens of one reply."),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

export const RunUsage = z
  .object({
    inputTokens: z.number().int(),
    cachedInputTokens: z.number().int().describe("Part of `inputTokens` that the provider had in its cache."),
    outputTokens: z.number().int(),
    costUsd: z.number().nullable().describe("By the prices of the models; `null` when a price is unknown."),
    isEstimated: z
      .boolean()
      .describe("Whether Handrail counted tokens itself, because a provider sent no usage or a reply broke off. Cost follows the tokens."),
  })
  .meta({ id: "RunUsage" });
export type RunUsage = z.infer<typeof RunUsage>;

export const Run = z
  .object({
    id: Id,
    agentId: Id,
    agent: z.string(),
    conversationId: Id,
    status: z
      .enum(runStatuses)
      .describe(
        "`waiting`: a call needs approval or an answer, or waits for other work. `limited`: ended at a limit, with a partial answer.",
      ),
    answer: z.string().nullable().describe("The text for the user, once the run has ended."),
    error: z.string().nullable().describe("Why a run failed, or which limit ended it."),
    limit: z.enum(runLimitNames).nullable(),
    models: z.array(RunModel).describe("In the order in which they are tried."),
    limits: RunLimits,
    steps: z.number().int(),
    usage: RunUsage,
    depth: z.number().int().describe("The number of agents that handed the task on; 0: a person or a program started the run."),
    turnId: Id.nullable().describe("The last turn of the run; while the run waits, the turn whose calls wait."),
    supersededBy: Id.nullable().describe("The run whose message replaced this one's: the model does not read this run any more."),
    requestedBy: ActorRef,
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "Run" });
export type Run = z.infer<typeof Run>;

/** A file that a model's provider made with a reply; an artifact of the conversation. */
export const RunFile = z.object({ artifactId: Id, mediaType: z.string(), bytes: z.int() }).meta({ id: "RunFile" });
export type RunFile = z.infer<typeof RunFile>;

export const maxAttachments = 20;

/** A file of the conversation's folder that a message names. */
export const RunAttachment = z
  .object({
    path: z.string(),
    mediaType: z.string(),
    bytes: z.number().int(),
    artifactId: Id.nullable().describe("For an image that the model sees: its bytes as they were when the message was sent."),
  })
  .meta({ id: "RunAttachment" });
export type RunAttachment = z.infer<typeof RunAttachment>;

export const RunMessage = z
  .object({
    runId: Id,
    position: z.number().int().describe("Place in the run, from 0."),
    role: z
      .enum(["user", "assistant", "tool", "summary", "note"])
      .describe(
        "`summary`: stands for older messages, which the model reads no more; they stay in the list. `note`: Handrail tells the model that a background job ended.",
      ),
    text: z.string().describe("Secrets are masked."),
    reasoning: z.string().describe("The model's thinking, when its provider shows it."),
    attachments: z.array(RunAttachment).describe("Files of a person's message."),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
    files: z.array(RunFile).describe("Files that came with the model's reply, such as images by its provider's own generator."),
    callId: z.string().nullable().describe("For a tool's result: the call that it answers."),
    name: z.string().nullable().describe("For a tool's result: the tool."),
    isError: z.boolean(),
    model: RunModel.nullable().describe("The model that wrote the message."),
    usage: RunUsage.nullable(),
    turnId: Id.nullable().describe("For a tool's result: the turn of the call."),
    createdAt: Timestamp,
  })
  .meta({ id: "RunMessage" });
export type RunMessage = z.infer<typeof RunMessage>;

export const RunDraft = z
  .strictObject({
    message: z
      .string()
      .min(1)
      .max(500_000)
      .refine((text) => text.isWellFormed() && !text.includes("\0"), "must not hold a NUL character or half of a surrogate pair")
      .refine((text) => text.trim() !== "", "must hold more than spaces"),
    conversationId: Id.optional().describe("A conversation of the agent; absent: a new one."),
    attachments: z
      .array(z.string().min(1).max(1_024))
      .max(maxAttachments)
      .optional()
      .describe(
        "Paths of files in the conversation's folder. The message names them, and the model sees PNG, JPEG, GIF and WebP images. POST /conversations/{id}/files stores files.",
      ),
    replaces: Id.optional().describe(
      "A run of the conversation that has ended: it and the later ones leave the history that the model reads, and stay readable.",
    ),
    limits: z
      .strictObject({ steps: steps.optional(), tokens: tokens.optional(), costUsd: costUsd.optional(), seconds: seconds.optional() })
      .optional()
      .describe("Lower limits than the agent's own."),
    wait: z.number().min(0).max(60).default(0).describe("Seconds to wait for the run to end before answering 202."),
  })
  .meta({ examples: [{ message: "What is new in the folder?", wait: 30 }] });
export type RunDraft = z.infer<typeof RunDraft>;

export const RunFilter = z.object({
  agentId: Id.optional(),
  conversationId: Id.optional(),
  turnId: Id.optional().describe("The run that submitted this turn; no run when a program or a person did."),
  status: z.enum(runStatuses).optional(),
});
export type RunFilter = z.infer<typeof RunFilter>;

const count = z.int().min(0);
const usageCounts = {
  runs: count.describe("Runs that began on the day."),
  steps: count.describe("Answered requests to models."),
  inputTokens: count,
  cachedInputTokens: count,
  outputTokens: count,
  costUsd: z.number().describe("Cost of the steps whose models have prices."),
  unpricedRuns: count.describe("Runs whose cost is not fully known, because a model of theirs has no price."),
  estimatedRuns: count.describe("Runs with tokens that Handrail counted itself, because a provider sent no usage or a reply broke off."),
};

/** The usage of an agent's runs, by the UTC day on which they began. */
export const AgentUsage = z
  .object({
    days: z.array(z.object({ day: z.iso.date(), ...usageCounts })).describe("Days with runs only, the newest first."),
    total: z.object(usageCounts),
  })
  .meta({ id: "AgentUsage" });
export type AgentUsage = z.infer<typeof AgentUsage>;

export const runEventNames = [
  "run.updated",
  "message.added",
  "text.delta",
  "reasoning.delta",
  "call.delta",
  "step.restarted",
  "run.finished",
] as const;
export type RunEventName = (typeof runEventNames)[number];

const params = z.object({ id: Id });

export const runEndpoints = {
  start: endpoint({
    method: "POST",
    path: "/api/v1/agents/{id}/runs",
    summary: "Give an agent a message; its model and tools work until it has answered. Idempotency-Key makes a retry safe",
    headers: ["Idempotency-Key"],
    permission: "turns:write",
    params,
    body: RunDraft,
    response: Run,
    status: 202,
    otherStatuses: { 200: "The run ended within `wait` seconds." },
    mayBeTooMany: true,
  }),
  list: endpoint({
    method: "GET",
    path: "/api/v1/runs",
    summary: "Runs, newest first",
    permission: "turns:read",
    query: RunFilter.extend(pageQuery),
    response: listOf(Run),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/runs/{id}",
    summary: "One run; with `wait`, answers when it ends or waits, or the time is up",
    permission: "turns:read",
    params,
    query: z.object({ wait: z.coerce.number().min(0).max(60).default(0) }),
    response: Run,
  }),
  usage: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/usage",
    summary: "Tokens and cost of an agent's runs by day",
    permission: "turns:read",
    params,
    query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30).describe("UTC days up to today.") }),
    response: AgentUsage,
  }),
  messages: endpoint({
    method: "GET",
    path: "/api/v1/runs/{id}/messages",
    summary: "Messages of a run, oldest first",
    permission: "turns:read",
    params,
    query: z.object(pageQuery),
    response: listOf(RunMessage),
  }),
  events: endpoint({
    method: "GET",
    path: "/api/v1/runs/{id}/events",
    summary: "A run as it happens: messages, text while the model writes, status; Last-Event-ID resumes",
    headers: ["Last-Event-ID"],
    permission: "turns:read",
    params,
    responseType: "text/event-stream",
  }),
  cancel: endpoint({
    method: "POST",
    path: "/api/v1/runs/{id}/cancel",
    summary: "Stop a run: the model's reply is cut off, its turn is cancelled",
    permission: "turns:write",
    params,
    response: Run,
  }),
};

export const runContract = defineContract({
  reference: {
    name: "Runs",
    description:
      "The built-in agent loop: an agent's model answers a message, and its tool calls become turns. A run survives restarts and waits for approvals.",
  },
  glossary: {
    attachment: "A file of the conversation's folder that a message names; the model sees an image among them.",
    "fallback chain": "The model providers in the order in which they are asked; the next one answers when one cannot.",
    run: "The work of an agent's own model on one message, step by step, until it has answered.",
    "step (of a run)": "One request to the model, with its reply and the turn of its calls.",
    summary: "A message of a run that stands for older messages, which its model reads no more.",
    "superseded run": "A run whose message was replaced: people can read it, its conversation's model no longer does.",
  },
  endpoints: runEndpoints,
  audit: {
    "run.started": "Run started",
    "run.finished": "Run finished",
    "run.cancelled": "Run cancelled",
    "run.superseded": "Message replaced, with the messages after it",
  },
});
