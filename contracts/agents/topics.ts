import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

/** `opened`: a conversation waits for a runtime, because the agent has no model. */
export const deliveryOutcomes = ["started", "opened", "skipped", "failed"] as const;

export const maxMessageText = 20_000;
export const maxWatchPrompt = 4_000;
export const TopicName = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "1 to 64 lower-case letters, digits, _ or -");
const messageText = z.string().trim().min(1, "needs a text").max(maxMessageText, "at most 20,000 characters");

export const Topic = z
  .object({ id: Id, name: z.string(), description: z.string(), createdBy: ActorRef, createdAt: Timestamp })
  .meta({ id: "Topic" });
export type Topic = z.infer<typeof Topic>;

export const TopicDraft = z
  .strictObject({ name: TopicName, description: z.string().trim().max(500).default("") })
  .meta({ examples: [{ name: "reports", description: "Finished reports" }] });
export type TopicDraft = z.infer<typeof TopicDraft>;

export const TopicMessage = z
  .object({
    id: Id,
    topicId: Id,
    topic: z.string(),
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
  .meta({ id: "TopicMessage" });
export type TopicMessage = z.infer<typeof TopicMessage>;

export const TopicMessageDraft = z.strictObject({ text: messageText }).meta({ examples: [{ text: "The report of March is ready." }] });
export type TopicMessageDraft = z.infer<typeof TopicMessageDraft>;

const watchSettings = {
  name: z.string().trim().min(1, "needs a name").max(90, "at most 90 characters"),
  prompt: z
    .string()
    .trim()
    .min(1, "needs a prompt")
    .max(maxWatchPrompt, "at most 4,000 characters")
    .describe("What the agent is told; `{content}`, `{topic}` (or `{channel}`), `{sender}` and `{message_id}` are filled in."),
  filterSender: z.string().trim().min(1).max(200).nullable().default(null).describe("Only messages of this sender; `null`: everybody's."),
};

export const TopicWatch = z
  .object({
    id: Id,
    topicId: Id,
    topic: z.string(),
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
  .meta({ id: "TopicWatch" });
export type TopicWatch = z.infer<typeof TopicWatch>;

export const TopicWatchDraft = z
  .strictObject({ ...watchSettings, agent: z.string().min(1).max(64).describe("Name or id of the agent.") })
  .meta({ examples: [{ name: "check reports", agent: "checker", prompt: "Check this report of {sender}: {content}" }] });
export type TopicWatchDraft = z.infer<typeof TopicWatchDraft>;

const params = z.object({ id: Id });
const write = { permission: "topics:write", params } as const;
const read = { permission: "turns:read" } as const;

export const topicEndpoints = {
  list: endpoint({
    ...read,
    method: "GET",
    path: "/api/v1/topics",
    summary: "Topics of the workspace, by name",
    response: z.object({ items: z.array(Topic) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/topics",
    summary: "Add a topic",
    permission: "topics:write",
    body: TopicDraft,
    response: Topic,
    status: 201,
  }),
  remove: endpoint({
    ...write,
    method: "DELETE",
    path: "/api/v1/topics/{id}",
    summary: "Remove a topic with its messages and watches",
    response: Empty,
  }),
  listMessages: endpoint({
    ...read,
    method: "GET",
    path: "/api/v1/topics/{id}/messages",
    summary: "Messages of a topic of the last 30 days, newest first",
    params,
    query: z.object(pageQuery),
    response: listOf(TopicMessage),
  }),
  send: endpoint({
    ...write,
    method: "POST",
    path: "/api/v1/topics/{id}/messages",
    summary: "Send a message; agents that watch the topic start",
    body: TopicMessageDraft,
    response: TopicMessage,
    status: 201,
  }),
  listWatches: endpoint({
    ...read,
    method: "GET",
    path: "/api/v1/topics/{id}/watches",
    summary: "Watches of a topic",
    params,
    response: z.object({ items: z.array(TopicWatch) }),
  }),
  createWatch: endpoint({
    ...write,
    method: "POST",
    path: "/api/v1/topics/{id}/watches",
    summary: "Let an agent start with each message of a topic",
    body: TopicWatchDraft,
    response: TopicWatch,
    status: 201,
  }),
  switchWatch: endpoint({
    ...write,
    method: "PUT",
    path: "/api/v1/topics/watches/{id}",
    summary: "Switch a watch on or off",
    body: z.strictObject({ enabled: z.boolean() }).meta({ examples: [{ enabled: false }] }),
    response: TopicWatch,
  }),
  removeWatch: endpoint({ ...write, method: "DELETE", path: "/api/v1/topics/watches/{id}", summary: "Remove a watch", response: Empty }),
};

export const topicContract = defineContract({
  reference: { name: "Topics", description: "The message bus between agents: a message in a topic starts the agents that watch it." },
  glossary: {
    topic: "A named place of the workspace to which people and agents send messages.",
    group: "The agents that a privileged agent made, with their topics and wires.",
    node: "An agent of a group; messages to the topic of its name start it.",
    watch: "An agent's wish to start with each message of a topic.",
    wire: "A connection of a group: the answer of a node's run is sent to another node or to a topic.",
  },
  endpoints: topicEndpoints,
  permissions: { "topics:write": "Send messages, add and remove topics and watches" },
  implies: { "topics:write": ["turns:read"] },
  audit: {
    "topic.created": "Topic created",
    "topic.removed": "Topic removed",
    "topic.message_sent": "Message sent to a topic",
    "topic_watch.created": "Watch of a topic created",
    "topic_watch.switched": "Watch of a topic switched on or off",
    "topic_watch.removed": "Watch of a topic removed",
    "topic_watch.fired": "Watch of a topic fired",
    "topic_watch.failed": "Watch of a topic could not start its agent",
  },
  events: {
    "topic_watch.fired": {
      label: "Watch of a topic fired",
      explanation: "A message opened a conversation for the agent that watches its topic",
    },
  },
  navigation: { label: "Topics", path: "/topics", icon: "IconBroadcast", key: "n", group: "connections", after: "/data-sources" },
});
