import { z } from "zod";
import { Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { Run, RunMessage, runStatuses } from "./runs";

/** The largest file that a person can add to a conversation, in bytes. */
export const maxFileBytes = 25 * 1_048_576;
export const maxChatTitleChars = 200;
export const chatFormats = ["markdown", "json"] as const;
export type ChatFormat = (typeof chatFormats)[number];

/** A place of a conversation in which searched words stand. */
export const ChatPlace = z
  .object({
    runId: Id.nullable().describe("`null` in a conversation whose model runs elsewhere."),
    kind: z.enum(["user", "assistant", "call", "result"]).describe("A person's message, the agent's words, a tool's call or its result."),
    tool: z.string().nullable().describe("For a call or a result: the tool."),
  })
  .meta({ id: "ChatPlace" });
export type ChatPlace = z.infer<typeof ChatPlace>;

/** A conversation with messages that its agent's own model answers; in a search also one whose calls alone are known. */
export const Chat = z
  .object({
    id: Id.describe("The conversation."),
    agentId: Id,
    agent: z.string(),
    title: z.string().describe("The chosen title, else the beginning of the first message. Secrets are masked."),
    isTitleChosen: z.boolean(),
    lastRun: z
      .object({ id: Id, status: z.enum(runStatuses), createdAt: Timestamp })
      .nullable()
      .describe("`null` for a conversation whose model runs elsewhere: only a search has it, and its turns show its calls."),
    excerpt: z.string().nullable().describe("For a search: the place in a message that holds the words."),
    excerptOf: ChatPlace.nullable().describe("For a search: where `excerpt` stands; `null` where only the title has the words."),
    createdAt: Timestamp,
  })
  .meta({ id: "Chat" });
export type Chat = z.infer<typeof Chat>;

export const ChatFilter = z.object({
  agentId: Id.optional(),
  query: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe("Words in a title, a message, the arguments of a call or the result of a tool; a word's beginning is enough."),
});
export type ChatFilter = z.infer<typeof ChatFilter>;

export const ChatPatch = z
  .strictObject({
    title: z.string().trim().min(1).max(maxChatTitleChars).nullable().describe("`null`: the beginning of the first message again."),
  })
  .meta({ examples: [{ title: "Invoices of May" }] });
export type ChatPatch = z.infer<typeof ChatPatch>;

/** A message of a person with everything that followed until its answer. */
export const ChatRun = z.object({ run: Run, messages: z.array(RunMessage) }).meta({ id: "ChatRun" });
export type ChatRun = z.infer<typeof ChatRun>;

export const ChatFile = z
  .object({
    path: z.string().describe("Path in the conversation's folder, for `attachments` of a message."),
    bytes: z.number().int(),
  })
  .meta({ id: "ChatFile" });
export type ChatFile = z.infer<typeof ChatFile>;

const params = z.object({ id: Id });

export const chatEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/chats",
    summary: "Conversations with messages, the latest message first; `query` searches titles, messages, calls and results",
    permission: "turns:read",
    query: ChatFilter.extend(pageQuery),
    response: listOf(Chat),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/chats/{id}",
    summary: "One chat",
    permission: "turns:read",
    params,
    response: Chat,
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/v1/chats/{id}",
    summary: "Rename a chat",
    permission: "turns:write",
    params,
    body: ChatPatch,
    response: Chat,
  }),
  runs: endpoint({
    method: "GET",
    path: "/api/v1/chats/{id}/runs",
    summary: "Runs of a chat with their messages, newest first; replaced ones on request",
    permission: "turns:read",
    params,
    query: z.object({ superseded: z.enum(["true", "false"]).default("false").describe("Also replaced runs."), ...pageQuery }),
    response: listOf(ChatRun),
  }),
  export: endpoint({
    method: "GET",
    path: "/api/v1/chats/{id}/export",
    summary: "A chat as a file: all that was said and done, oldest first, without replaced messages",
    permission: "turns:read",
    params,
    query: z.object({ format: z.enum(chatFormats).default("markdown") }),
    responseType: "text/markdown",
  }),
  addFile: endpoint({
    method: "POST",
    path: "/api/v1/conversations/{id}/files",
    summary: "Store the request's bytes as a file in the conversation's folder; a taken name gets a number",
    permission: "turns:write",
    params,
    query: z.object({
      name: z.string().trim().min(1).max(300).default("file").describe("File name; what a file name cannot hold becomes `_`."),
    }),
    requestType: "application/octet-stream",
    response: ChatFile,
    status: 201,
  }),
};

export const chatContract = defineContract({
  reference: { name: "Chats", description: "Conversations of people with agents: their titles, messages and files." },
  glossary: {
    chat: "A conversation with messages that its agent's own model answers, with a title.",
  },
  endpoints: chatEndpoints,
  audit: {
    "conversation.renamed": "Conversation renamed",
    "conversation.exported": "Conversation exported",
    "conversation.file_added": "File added to a conversation",
  },
  navigation: { label: "Chat", path: "/chat", icon: "IconMessages", key: "k", group: "work", after: "/" },
});
