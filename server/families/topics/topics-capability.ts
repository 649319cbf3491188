import "server-only";
import { eq } from "drizzle-orm";
import { agents, conversations } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findTopicByName } from "./manage-topics";
import { insertWatch } from "./manage-watches";
import type { WatchRow } from "./present-topic";
import { type MessageRow, sendMessage } from "./send-message";

/** The message bus, for the agent of a conversation. */
export type TopicsCapability = {
  /** @throws AppError `not_found` with the names of the topics */
  send: (topic: string, text: string) => Promise<MessageRow>;
  /** Lets the agent of the conversation start with each message. @throws AppError `not_found`, `conflict` */
  watch: (topic: string, settings: Pick<WatchRow, "name" | "prompt" | "filterSender">) => Promise<WatchRow>;
};

export const topics = defineCapability({
  name: "topics",
  title: "Topics of the workspace",
  isOfConversation: false,
  create: ({ workspaceId, conversationId, actor }): TopicsCapability => {
    const findAgent = async () => {
      const [agent] = await db()
        .select({ id: agents.id, name: agents.name })
        .from(conversations)
        .innerJoin(agents, eq(agents.id, conversations.agentId))
        .where(eq(conversations.id, conversationId));
      if (!agent) throw new AppError("not_found", "Topics cannot be used, because the conversation was deleted.");
      return agent;
    };
    return {
      send: async (name, text) => {
        const agent = { ...(await findAgent()), conversationId };
        return db().transaction(async (tx) => sendMessage(tx, await findTopicByName(tx, workspaceId, name), { text, by: actor, agent }));
      },
      watch: async (name, settings) => {
        const { id: agentId } = await findAgent();
        return db().transaction(async (tx) => {
          const { id: topicId } = await findTopicByName(tx, workspaceId, name);
          return insertWatch(tx, { ...settings, workspaceId, topicId, agentId, by: actor });
        });
      },
    };
  },
});
