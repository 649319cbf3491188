import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { Chat, ChatPatch } from "@/contracts/runs/chats";
import { conversations } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, requirePermission, toActorRef } from "@/server/auth/actor";
import { conversationChanged, deletedMeanwhile, findConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { getChat } from "./list-chats";

/** Gives a chat a title, or its first words again. */
export async function renameChat(actor: Authorized<"turns:write">, conversationId: string, { title }: ChatPatch): Promise<Chat> {
  await findConversation(actor, conversationId);
  await db().transaction(async (tx) => {
    const metadata = sql`case when ${title}::text is null then ${conversations.metadata} - 'title' else ${conversations.metadata} || jsonb_build_object('title', ${title}::text) end`;
    const [changed] = await tx
      .update(conversations)
      .set({ metadata, updatedAt: sql`now()` })
      .where(and(eq(conversations.workspaceId, actor.workspaceId), eq(conversations.id, conversationId)))
      .returning({ id: conversations.id });
    if (!changed) throw deletedMeanwhile();
    await record(tx, {
      workspaceId: actor.workspaceId,
      event: "conversation.renamed",
      actor: toActorRef(actor),
      subject: conversationId,
      conversationId,
      data: { title },
      requestId: actor.requestId,
    });
    await signalOnCommit(tx, { topic: "conversation", conversationId });
  });
  conversationChanged(conversationId);
  return getChat(requirePermission(actor, "turns:read"), conversationId);
}
