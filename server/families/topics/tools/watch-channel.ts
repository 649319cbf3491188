import { z } from "zod";
import { maxWatchPrompt } from "@/contracts/agents/topics";
import { newId } from "@/server/platform/ids";
import { defineTool } from "@/server/tools/define-tool";
import { topics } from "../topics-capability";

export const watchChannel = defineTool({
  name: "watch_channel",
  title: "Watch a topic",
  description:
    "**Trigger** — starts this agent with prompt in a new conversation for each message of a topic, except its own. {content}, {channel}, {sender} and {message_id} are filled in.",
  family: "topics",
  tier: "extension",
  effect: "write",
  needs: [topics],
  names: {
    aliases: ["add_channel_watch"],
    parameterAliases: {
      channel_name: "channelName",
      channel: "channelName",
      topic: "channelName",
      filter_sender: "filterSender",
      sender: "filterSender",
    },
  },
  primaryArgument: "channelName",
  input: z.object({
    channelName: z.string().trim().min(1).max(100).describe("Name of the topic"),
    prompt: z.string().trim().min(1).max(maxWatchPrompt).describe("What the agent is told with each message"),
    filterSender: z.string().trim().min(1).max(200).optional().describe("Only messages of this agent or person"),
    name: z.string().trim().min(1).max(90).optional().describe("Its id; a taken one is refused"),
  }),
  approval: { effects: () => [{ kind: "schedule", argument: "/prompt" }] },
  async execute({ channelName, prompt, filterSender = null, name = `trigger_${newId().replaceAll("-", "").slice(-8)}` }, { topics }) {
    const { id } = await topics.watch(channelName, { name, prompt, filterSender });
    const from = filterSender ? ` from ${filterSender}` : "";
    return `Trigger \`watch_channel\` correctly set up and running in the background with channel ${channelName}${from}. trigger_id=${id} name=${name}`;
  },
});
