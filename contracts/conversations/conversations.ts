import { z } from "zod";
import { Empty, Id, Json, JsonObject, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { conversationOrigins } from "../generated";
import { orList } from "../lib/or-list";
import { Place } from "../messengers/messenger-platforms";
import { Delegator } from "./delegator";

export const toolFormats = ["openai", "openai-responses", "anthropic", "gemini", "mcp", "handrail"] as const;
export type ToolFormat = (typeof toolFormats)[number];

/** Kinds of triggers that begin a conversation: each contract declares those of its noun. */
export { conversationOrigins };
export type ConversationOrigin = (typeof conversationOrigins)[number];

export const Conversation = z
  .object({
    id: Id,
    agentId: Id,
    agent: z.string(),
    channel: z.string().nullable(),
    place: Place.nullable().describe("The chat of a messenger in which the conversation lives; `null`: none."),
    externalId: z.string().nullable(),
    origin: z.enum(conversationOrigins),
    interactive: z.boolean().describe("Nobody is there to ask when false: a call that needs an approval is denied at once."),
    metadata: JsonObject,
    parentConversationId: Id.nullable().describe("The conversation whose agent handed the task on; `null`: no agent opened it."),
    delegators: z.array(Delegator).describe("Agents that handed the task on, nearest first."),
    activatedTools: z.array(z.string()),
    createdAt: Timestamp,
  })
  .meta({ id: "Conversation" });
export type Conversation = z.infer<typeof Conversation>;

export const ConversationDraft = z
  .strictObject({
    agent: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe("Id or name. Absent: the agent of the key, else the default agent of the workspace."),
    channel: z.string().min(1).max(64).optional(),
    externalId: z.string().min(1).max(200).optional().describe("Your own id for it; the same one finds the same conversation again."),
    origin: z.enum(conversationOrigins).default("chat").describe("What began it; rules of the guard may ask for it."),
    interactive: z.boolean().optional().describe("Whether a person can be asked. Absent: true, but false for `cron` and `one_shot`."),
    metadata: JsonObject.default({}),
  })
  .meta({ examples: [{ externalId: "ticket-4711" }] });
export type ConversationDraft = z.infer<typeof ConversationDraft>;

export const ToolListing = z
  .object({
    tools: z.array(Json).describe("Full schemas in the asked provider's own shape."),
    directory: z
      .string()
      .describe(
        "For the system prompt: the extension tools, one line each or one per source when they are many, and the instructions of MCP servers.",
      ),
    hints: z.string().describe("How to use the directory, for the system prompt."),
    sections: z.string().describe("What families add to the system prompt, such as the agent's memory; it may change from turn to turn."),
    tokens: z
      .object({ tools: z.number().int(), directory: z.number().int(), saved: z.number().int() })
      .describe(
        "Tokens (o200k) of `tools`, of `directory` with `hints`, and what full schemas of everything would cost above that (estimated above 1,000 tools).",
      ),
    leftOut: z
      .array(z.object({ tool: z.string(), reason: z.string() }))
      .describe("Tools that this provider would refuse, and the reason; they are neither in `tools` nor callable by its model."),
    warnings: z.array(z.string()).describe("What the provider may refuse or do badly with this listing."),
    toolsHash: z.string(),
  })
  .meta({ id: "ToolListing" });
export type ToolListing = z.infer<typeof ToolListing>;

const params = z.object({ id: Id });

export const conversationEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/api/v1/conversations",
    mayBeTooMany: true,
    summary: "Open a conversation; the same externalId answers the same one",
    permission: "turns:write",
    body: ConversationDraft,
    response: Conversation,
    status: 201,
    otherStatuses: { 200: "There is a conversation with this `externalId` already; this is it." },
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/conversations/{id}",
    summary: "One conversation",
    permission: "turns:read",
    params,
    response: Conversation,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/conversations/{id}",
    summary: "Delete a conversation; running turns and pending approvals are cancelled",
    permission: "turns:write",
    params,
    response: Empty,
  }),
  events: endpoint({
    method: "GET",
    path: "/api/v1/conversations/{id}/events",
    summary: "`job.started`, `job.finished` of a conversation as they happen",
    permission: "turns:read",
    params,
    responseType: "text/event-stream",
  }),
  tools: endpoint({
    method: "GET",
    path: "/api/v1/conversations/{id}/tools",
    summary: "What to show the model now, in its provider's own shape; `openai` is chat completions",
    permission: "tools:read",
    params,
    query: z.object({ format: z.enum(toolFormats).default("handrail") }),
    response: ToolListing,
  }),
};

export const conversationContract = defineContract({
  reference: { name: "Conversations", description: "Where an agent's turns, activated tools and files live." },
  glossary: {
    conversation: "The memory of an agent across turns; it owns activations, artifacts and a folder.",
    origin: `The kind of trigger that began a conversation: ${orList(conversationOrigins)}.`,
  },
  endpoints: conversationEndpoints,
  // A person's chat, a task that runs once, a message of a program.
  origins: ["chat", "one_shot", "webhook"],
  audit: {
    "conversation.created": "Conversation created",
    "conversation.removed": "Conversation removed",
  },
});
