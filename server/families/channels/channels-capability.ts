import "server-only";
import { eq } from "drizzle-orm";
import { agents, conversations } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { findChannelByName } from "./manage-channels";
import { insertWatch } from "./manage-watches";
import type { WatchRow } from "./present-channel";
import { type MessageRow, sendMessage } from "./send-message";

/** The message bus, for the agent of a conversation. */
export type ChannelsCapability = {
  /** @throws AppError `not_found` with the names of the channels */
  send: (channel: string, text: string) => Promise<MessageRow>;
  /** Lets the agent of the conversation start with each message. @throws AppError `not_found`, `conflict` */
  watch: (channel: string, settings: Pick<WatchRow, "name" | "prompt" | "filterSender">) => Promise<WatchRow>;
};

export const channels = defineCapability({
  name: "channels",
  title: "Channels of the workspace",
  isOfConversation: false,
  create: ({ workspaceId, conversationId, actor }): ChannelsCapability => {
    const findAgent = async () => {
      const [agent] = await db()
        .select({ id: agents.id, name: agents.name })
        .from(conversations)
        .innerJoin(agents, eq(agents.id, conversations.agentId))
        .where(eq(conversations.id, conversationId));
      if (!agent) throw new AppError("not_found", "Channels cannot be used, because the conversation was deleted.");
      return agent;
    };
    return {
      send: async (name, text) => {
        const agent = { ...(await findAgent()), conversationId };
        return db().transaction(async (tx) => sendMessage(tx, await findChannelByName(tx, workspaceId, name), { text, by: actor, agent }));
      },
      watch: async (name, settings) => {
        const { id: agentId } = await findAgent();
        return db().transaction(async (tx) => {
          const { id: channelId } = await findChannelByName(tx, workspaceId, name);
          return insertWatch(tx, { ...settings, workspaceId, channelId, agentId, by: actor });
        });
      },
    };
  },
});
