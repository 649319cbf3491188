import "server-only";
import { and, asc, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { conversations, turns } from "@/db/schema";
import { endGrantsOf } from "@/server/approvals/grants/revoke-grant";
import { record } from "@/server/audit/record";
import { type Holder, refOf } from "@/server/auth/actor";
import { type ConversationRow, conversationChanged, findConversation } from "@/server/conversations/find-conversation";
import { policyChanged } from "@/server/guard/policy";
import { afterConflicts } from "@/server/platform/after-conflicts";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { endJobsOf } from "./background/cancel-job";
import { openTurn, requestCancel } from "./cancel-turn";

/** Deletes a conversation with its turns, after cancelling what runs or waits in it. The audit of it stays. */
export async function removeConversation(actor: Holder<"turns:write">, conversationId: string): Promise<Record<string, never>> {
  const conversation = await findConversation(actor, conversationId);
  await afterConflicts(() => db().transaction((tx) => remove(tx, actor, conversation)));
  conversationChanged(conversationId);
  policyChanged(conversation.workspaceId);
  return {};
}

async function remove(tx: Db, actor: Holder<"turns:write">, { id: conversationId, workspaceId }: ConversationRow): Promise<void> {
  const open = () =>
    tx
      .select({ id: turns.id })
      .from(turns)
      .where(and(eq(turns.conversationId, conversationId), openTurn))
      .orderBy(asc(turns.id));
  // First the turns, as everybody does who changes something of a turn and then of its conversation.
  await open().for("update");
  // A turn that is submitted meanwhile waits for this, and then finds no conversation.
  const [held] = await tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.id, conversationId)).for("update");
  if (!held) throw new AppError("not_found", "This conversation was deleted a moment ago.");
  for (const { id } of await open()) await requestCancel(tx, actor, id, { endRunning: true });
  await endJobsOf(tx, conversationId, refOf(actor));
  await endGrantsOf(tx, conversationId, actor);
  await tx.delete(conversations).where(eq(conversations.id, conversationId));
  await record(tx, {
    workspaceId,
    event: "conversation.removed",
    actor: refOf(actor),
    subject: conversationId,
    conversationId,
    requestId: actor.requestId,
  });
  await signalOnCommit(tx, { topic: "conversation", conversationId });
}
