import { z } from "zod";
import { maxMessageText } from "@/contracts/agents/topics";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { topics } from "../topics-capability";

export const sendMessageTool = defineTool({
  name: "send_message",
  title: "Send a message to a topic",
  description: "Sends a message to a topic of the workspace. Agents that watch the topic start with it.",
  family: "topics",
  tier: "extension",
  effect: "write",
  disclosure: {
    // In a group, anybody who reads along could write to others through the agent.
    hiddenInGroups: true,
  },
  needs: [topics],
  names: {
    aliases: ["send_channel"],
    parameterAliases: {
      channelName: "channel",
      channel_name: "channel",
      to: "channel",
      topic: "channel",
      content: "message",
      text: "message",
    },
  },
  primaryArgument: "channel",
  input: z.object({
    channel: z.string().trim().min(1).max(100).describe("Name of the topic; an unknown one is answered with the names"),
    message: z.string().trim().min(1).max(maxMessageText).describe("The text"),
  }),
  approval: {
    // The message stays in the workspace, and the guard decides every call of the agents that it starts.
    effects: () => [actsInside("sends a message to a topic")],
  },
  async execute({ channel, message }, { topics }) {
    const { id, depth } = await topics.send(channel, message);
    return `Sent to ${channel}. message_id=${id} depth=${depth}`;
  },
});
