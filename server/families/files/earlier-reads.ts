import "server-only";
import { and, desc, eq, sql } from "drizzle-orm";
import { toolCalls, turns } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database";

/** The results of earlier calls of one conversation. */
export type EarlierReadsCapability = {
  /** Returns the result of the newest succeeded call of this tool with the same arguments; null without such a call. */
  newestResult: (toolName: string, args: Readonly<Record<string, unknown>>) => Promise<string | null>;
};

export const earlierReads = defineCapability({
  name: "earlier_reads",
  title: "What the conversation has read",
  isOfConversation: true,
  create: ({ conversationId, callId }): EarlierReadsCapability => ({
    newestResult: async (toolName, args) => {
      const wanted = JSON.stringify(args);
      const [call] = await db()
        .select({ content: toolCalls.content })
        .from(toolCalls)
        .innerJoin(turns, eq(toolCalls.turnId, turns.id))
        .where(
          and(
            eq(turns.conversationId, conversationId),
            eq(toolCalls.name, toolName),
            eq(toolCalls.status, "succeeded"),
            sql`${toolCalls.id} <> ${callId}`,
            sql`${toolCalls.arguments} = ${wanted}::jsonb`,
          ),
        )
        .orderBy(desc(toolCalls.id))
        .limit(1);
      return call?.content ?? null;
    },
  }),
});
