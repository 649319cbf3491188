import "server-only";
import { and, asc, eq } from "drizzle-orm";
import { conversations, turns } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Holder, refOf } from "@/server/auth/actor";
import { conversationChanged, findConversation } from "@/server/conversations/find-conversation";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { openTurn, requestCancel } from "./cancel-turn";

/** Deletes a conversation with its turns, after cancelling what runs or waits in it. The audit of it stays. */
export async function removeConversation(actor: Holder<"turns:write">, conversationId: string): Promise<Record<string, never>> {
  const conversation = await findConversation(actor, conversationId);
  await db().transaction(async (tx) => {
    // A turn that is submitted meanwhile waits for this, and then finds no conversation.
    await tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.id, conversationId)).for("update");
    const open = await tx
      .select({ id: turns.id })
      .from(turns)
      .where(and(eq(turns.conversationId, conversationId), openTurn))
      .orderBy(asc(turns.id));
    for (const { id } of open) await requestCancel(tx, actor, id, { endRunning: true });
    await tx.delete(conversations).where(eq(conversations.id, conversationId));
    await record(tx, {
      workspaceId: conversation.workspaceId,
      event: "conversation.removed",
      actor: refOf(actor),
      subject: conversationId,
      conversationId,
      requestId: actor.requestId,
    });
    await signalOnCommit(tx, { topic: "conversation", conversationId });
  });
  conversationChanged(conversationId);
  return {};
}
