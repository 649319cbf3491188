import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "./common";
import { defineContract } from "./define-contract";
import { endpoint } from "./endpoint";

/** `opened`: a conversation waits for a runtime, because the agent has no model. */
export const deliveryOutcomes = ["started", "opened", "skipped", "failed"] as const;

export const maxMessageText = 20_000;
export const maxWatchPrompt = 4_000;
export const ChannelName = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "1 to 64 lower-case letters, digits, _ or -");
const messageText = z.string().trim().min(1, "needs a text").max(maxMessageText, "at most 20,000 characters");

export const Channel = z
  .object({ id: Id, name: z.string(), description: z.string(), createdBy: ActorRef, createdAt: Timestamp })
  .meta({ id: "Channel" });
export type Channel = z.infer<typeof Channel>;

export const ChannelDraft = z
  .strictObject({ name: ChannelName, description: z.string().trim().max(500).default("") })
  .meta({ examples: [{ name: "reports", description: "Finished reports" }] });
export type ChannelDraft = z.infer<typeof ChannelDraft>;

export const ChannelMessage = z
  .object({
    id: Id,
    channelId: Id,
    channel: z.string(),
    text: z.string(),
    sender: z.string().describe("Name of the agent, or of the person or API key."),
    senderAgentId: Id.nullable(),
    conversationId: Id.nullable().describe("The conversation in which an agent sent it."),
    depth: z.number().int().describe("Messages that led to this one, this one included; beyond 5 none starts an agent."),
    deliveries: z
      .array(
        z.object({
          watch: z.string(),
          agent: z.string(),
          outcome: z.enum(deliveryOutcomes),
          reason: z.string().nullable(),
          conversationId: Id.nullable(),
          runId: Id.nullable(),
        }),
      )
      .describe("What became of it at each watch."),
    createdAt: Timestamp,
  })
  .meta({ id: "ChannelMessage" });
export type ChannelMessage = z.infer<typeof ChannelMessage>;

export const ChannelMessageDraft = z.strictObject({ text: messageText }).meta({ examples: [{ text: "The report of March is ready." }] });
export type ChannelMessageDraft = z.infer<typeof ChannelMessageDraft>;

const watchSettings = {
  name: z.string().trim().min(1, "needs a name").max(90, "at most 90 characters"),
  prompt: z
    .string()
    .trim()
    .min(1, "needs a prompt")
    .max(maxWatchPrompt, "at most 4,000 characters")
    .describe("What the agent is told; `{content}`, `{channel}`, `{sender}` and `{message_id}` are filled in."),
  filterSender: z.string().trim().min(1).max(200).nullable().default(null).describe("Only messages of this sender; `null`: everybody's."),
};

export const ChannelWatch = z
  .object({
    id: Id,
    channelId: Id,
    channel: z.string(),
    agentId: Id,
    agent: z.string(),
    name: z.string(),
    prompt: z.string(),
    filterSender: z.string().nullable(),
    enabled: z.boolean(),
    lastError: z.string().nullable().describe("Why the last message started nothing, such as `rate-limited`."),
    lastFiredAt: Timestamp.nullable(),
    createdBy: ActorRef.describe("Whom the runs act for."),
    createdAt: Timestamp,
  })
  .meta({ id: "ChannelWatch" });
export type ChannelWatch = z.infer<typeof ChannelWatch>;

export const ChannelWatchDraft = z
  .strictObject({ ...watchSettings, agent: z.string().min(1).max(64).describe("Name or id of the agent.") })
  .meta({ examples: [{ name: "check reports", agent: "checker", prompt: "Check this report of {sender}: {content}" }] });
export type ChannelWatchDraft = z.infer<typeof ChannelWatchDraft>;

const params = z.object({ id: Id });
const write = { permission: "channels:write", params } as const;
const read = { permission: "turns:read" } as const;

export const channelEndpoints = {
  list: endpoint({
    ...read,
    method: "GET",
    path: "/api/v1/channels",
    summary: "Channels of the workspace, by name",
    response: z.object({ items: z.array(Channel) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/channels",
    summary: "Add a channel",
    permission: "channels:write",
    body: ChannelDraft,
    response: Channel,
    status: 201,
  }),
  remove: endpoint({
    ...write,
    method: "DELETE",
    path: "/api/v1/channels/{id}",
    summary: "Remove a channel with its messages and watches",
    response: Empty,
  }),
  listMessages: endpoint({
    ...read,
    method: "GET",
    path: "/api/v1/channels/{id}/messages",
    summary: "Messages of a channel of the last 30 days, newest first",
    params,
    query: z.object(pageQuery),
    response: listOf(ChannelMessage),
  }),
  send: endpoint({
    ...write,
    method: "POST",
    path: "/api/v1/channels/{id}/messages",
    summary: "Send a message; agents that watch the channel start",
    body: ChannelMessageDraft,
    response: ChannelMessage,
    status: 201,
  }),
  listWatches: endpoint({
    ...read,
    method: "GET",
    path: "/api/v1/channels/{id}/watches",
    summary: "Watches of a channel",
    params,
    response: z.object({ items: z.array(ChannelWatch) }),
  }),
  createWatch: endpoint({
    ...write,
    method: "POST",
    path: "/api/v1/channels/{id}/watches",
    summary: "Let an agent start with each message of a channel",
    body: ChannelWatchDraft,
    response: ChannelWatch,
    status: 201,
  }),
  switchWatch: endpoint({
    ...write,
    method: "PUT",
    path: "/api/v1/channels/watches/{id}",
    summary: "Switch a watch on or off",
    body: z.strictObject({ enabled: z.boolean() }).meta({ examples: [{ enabled: false }] }),
    response: ChannelWatch,
  }),
  removeWatch: endpoint({ ...write, method: "DELETE", path: "/api/v1/channels/watches/{id}", summary: "Remove a watch", response: Empty }),
};

export const channelContract = defineContract({
  reference: { name: "Channels", description: "The message bus between agents: a message in a channel starts the agents that watch it." },
  glossary: {
    channel: "A named place of the workspace to which people and agents send messages.",
    group: "The agents that a privileged agent made, with their channels and wires.",
    node: "An agent of a group; messages to the channel of its name start it.",
    watch: "An agent's wish to start with each message of a channel.",
    wire: "A connection of a group: the answer of a node's run is sent to another node or to a channel.",
  },
  endpoints: channelEndpoints,
  permissions: { "channels:write": "Send messages, add and remove channels and watches" },
  implies: { "channels:write": ["turns:read"] },
  audit: {
    "channel.created": "Channel created",
    "channel.removed": "Channel removed",
    "channel.message_sent": "Message sent to a channel",
    "channel_watch.created": "Watch of a channel created",
    "channel_watch.switched": "Watch of a channel switched on or off",
    "channel_watch.removed": "Watch of a channel removed",
    "channel_watch.fired": "Watch of a channel fired",
    "channel_watch.failed": "Watch of a channel could not start its agent",
  },
  events: {
    "channel_watch.fired": {
      label: "Watch of a channel fired",
      explanation: "A message opened a conversation for the agent that watches its channel",
    },
  },
  navigation: { label: "Channels", path: "/channels", icon: "IconBroadcast", key: "n", group: "connections", after: "/data-sources" },
});
