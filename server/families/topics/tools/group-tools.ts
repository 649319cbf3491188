import { z } from "zod";
import { AgentDraft } from "@/contracts/agents/agents";
import { maxMessageText, TopicName } from "@/contracts/agents/topics";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { group } from "../groups/group-capability";
import { addWire, deleteTopic, removeWire, unwireTopic, wireTopic } from "../groups/group-topics";
import { makeTopic } from "../groups/make-topic";
import { addNode, findNode, groupStatus, removeNode, switchNode } from "../groups/nodes";
import { findTopicByName } from "../manage-topics";
import { sendMessage } from "../send-message";

const common = { family: "topics", tier: "extension", effect: "write", needs: [group] } as const;
const node = z.string().trim().min(1).max(64).describe("Name of the node");
/** Enums have another issue than other missing parameters. */
const missingAction = ({ input }: { input?: unknown }) => (input === undefined ? "missing required param: action" : undefined);
const nodeAliases = { node: "name", node_name: "name", node_id: "name" } as const;

const addNodeTool = defineTool({
  ...common,
  name: "group_add_node",
  title: "Add a node to the group",
  description:
    "Makes an agent from an existing one and adds it to the group of this privileged agent. Messages to the topic of its name start it (group_send). 20 nodes at most.",
  names: {
    parameterAliases: {
      ...nodeAliases,
      config_path: "config",
      configPath: "config",
      agent: "config",
      model: "llm",
      pwd: "folder",
      cwd: "folder",
    },
  },
  primaryArgument: "config",
  input: z.object({
    config: z.string().trim().min(1).max(64).describe("Name of the agent whose settings the node has"),
    name: AgentDraft.shape.name.describe("Name of the new agent"),
    llm: z.string().trim().max(200).optional().describe("Name of a model in place of the configuration's own"),
    folder: AgentDraft.shape.sharedFolder.optional().describe("Shared folder of its conversations"),
  }),
  approval: { effects: () => [{ kind: "schedule", argument: "/config" }] },
  async execute(args, { group }) {
    const { agent } = await group.change((tx, own) => addNode(tx, own, args));
    return `Added the node ${agent.name}. Messages to the topic ${agent.name} start it.`;
  },
});

const removeNodeTool = defineTool({
  ...common,
  name: "group_remove_node",
  title: "Remove a node from the group",
  description: "Takes a node out of the group, with its topic, watches and wires. Its agent stays with its conversations.",
  names: { parameterAliases: nodeAliases },
  primaryArgument: "name",
  input: z.object({ name: node }),
  approval: { effects: () => [actsInside("removes a node of the group")] },
  async execute({ name }, { group }) {
    await group.change((tx, own) => removeNode(tx, own, name));
    return `Removed the node ${name}.`;
  },
});

const startNodeTool = defineTool({
  ...common,
  name: "group_start_node",
  title: "Start a node of the group",
  description: "Lets messages start a stopped node again.",
  names: { parameterAliases: nodeAliases },
  primaryArgument: "name",
  input: z.object({ name: node }),
  approval: { effects: () => [{ kind: "schedule", argument: "/name" }] },
  async execute({ name }, { group }) {
    await group.change((tx, own) => switchNode(tx, own, name, false));
    return `The node ${name} listens.`;
  },
});

const stopNodeTool = defineTool({
  ...common,
  name: "group_stop_node",
  title: "Stop a node of the group",
  description: "No message starts the node any more. A run that has begun goes on to its end.",
  names: { parameterAliases: nodeAliases },
  primaryArgument: "name",
  input: z.object({ name: node }),
  approval: { effects: () => [actsInside("stops a node of the group")] },
  async execute({ name }, { group }) {
    await group.change((tx, own) => switchNode(tx, own, name, true));
    return `The node ${name} is stopped.`;
  },
});

const topicTool = defineTool({
  ...common,
  name: "group_channel",
  title: "Topics of the group",
  description: "Creates or deletes a topic of the group. wire lets a node start with each message of a topic, unwire ends that.",
  names: {
    parameterAliases: { name: "channel", topic: "channel", node_name: "node", node_id: "node" },
  },
  primaryArgument: "channel",
  input: z
    .object({
      action: z.enum(["create", "delete", "wire", "unwire"], { error: missingAction }).describe("What to do"),
      channel: z.string().trim().min(1).max(64).describe("Name of the topic"),
      node: node.optional().describe("For wire and unwire: name of the node"),
    })
    .superRefine(({ action, channel, node }, context) => {
      const issue = (message: string) => context.addIssue({ code: "custom", message, path: [] });
      if (action === "create" && !TopicName.safeParse(channel).success) issue("channel must be 1 to 64 lower-case letters, digits, _ or -");
      if ((action === "wire" || action === "unwire") && node === undefined) issue(`${action} needs node`);
    }),
  approval: {
    effects: ({ action }) =>
      action === "wire" ? [{ kind: "schedule", argument: "/channel" }] : [actsInside("changes the topics of the group")],
  },
  async execute({ action, channel, node = "" }, { group }) {
    return group.change(async (tx, own) => {
      switch (action) {
        case "create":
          await makeTopic(tx, own, channel, "");
          return `Created the topic ${channel}.`;
        case "delete":
          await deleteTopic(tx, own, channel);
          return `Deleted the topic ${channel}.`;
        case "wire":
          await wireTopic(tx, own, channel, node);
          return `Each message in ${channel} starts ${node}.`;
        case "unwire":
          await unwireTopic(tx, own, channel, node);
          return `Messages in ${channel} do not start ${node} any more.`;
      }
    });
  },
});

const wireTool = defineTool({
  ...common,
  name: "group_wire",
  title: "Wires of the group",
  description:
    "Sends each answer of a node's runs on to another node, or to a topic; remove ends that. Five messages may lead to one another.",
  names: { parameterAliases: { source: "from", target: "to" } },
  primaryArgument: "from",
  input: z.object({
    action: z.enum(["add", "remove"], { error: missingAction }).describe("Add or remove the wire"),
    from: node,
    to: z.string().trim().min(1).max(64).describe("Name of a node or a topic"),
  }),
  approval: {
    effects: ({ action }) =>
      action === "add" ? [{ kind: "schedule", argument: "/from" }] : [actsInside("changes the wires of the group")],
  },
  async execute({ action, from, to }, { group }) {
    await group.change((tx, own) => (action === "add" ? addWire(tx, own, from, to) : removeWire(tx, own, from, to)));
    return action === "add" ? `Answers of ${from} go to ${to}.` : `Answers of ${from} do not go to ${to} any more.`;
  },
});

const statusTool = defineTool({
  ...common,
  name: "group_status",
  title: "Status of the group",
  description: "Returns the nodes of the group with their state and topics, its topics and its wires.",
  effect: "read",
  input: z.object({}),
  execute: (_none, { group }) => group.change(groupStatus),
});

const sendTool = defineTool({
  ...common,
  name: "group_send",
  title: "Send a message to a node",
  description: "Sends a message to a node of the group, which starts with it.",
  names: {
    aliases: ["group_message"],
    parameterAliases: { node: "to", name: "to", content: "message", text: "message" },
  },
  primaryArgument: "to",
  input: z.object({ to: node, message: z.string().trim().min(1).max(maxMessageText).describe("The text") }),
  approval: {
    // Making the node asked a person, and the guard decides each of its calls.
    effects: () => [actsInside("sends a message to a node of the group")],
  },
  async execute({ to, message }, { group }) {
    const sent = await group.change(async (tx, own) => {
      const { agent, stopped } = await findNode(tx, own, to);
      const topic = await findTopicByName(tx, own.workspaceId, agent.name);
      const { id, name } = own.agent;
      const row = await sendMessage(tx, topic, { text: message, by: own.by, agent: { id, name, conversationId: own.conversationId } });
      return { id: row.id, stopped };
    });
    const note = sent.stopped ? ` The node is stopped, so the message starts nothing; group_start_node ${to} lets it listen again.` : "";
    return `Sent to ${to}. message_id=${sent.id}${note}`;
  },
});

/** Tools of privileged agents. */
export const groupTools = [addNodeTool, removeNodeTool, startNodeTool, stopNodeTool, topicTool, wireTool, statusTool, sendTool];
