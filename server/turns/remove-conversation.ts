import "server-only";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { conversations, turns } from "@/db/schema";
import { endConversationGrants } from "@/server/approvals/grants/revoke-grant";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { endConversationNetwork } from "@/server/capabilities/sandbox/network/conversation-network";
import { removeTemporaryFolder } from "@/server/capabilities/sandbox/temporary-folder";
import { removeCopies } from "@/server/conversations/file-copies/copies-store";
import { type ConversationRow, conversationChanged, findConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { retryOnConflict } from "@/server/platform/database/retry-on-conflict";
import { AppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { policyChanged } from "@/server/policy/policy";
import { endConversationJobs } from "./background/cancel-job";
import { loadCallFacts } from "./call-facts";
import { openTurn, requestCancel } from "./cancel-turn";
import type { CallFacts } from "./live-turn";

/** Deletes a conversation with its turns, after cancelling running and waiting ones. The audit rows stay. */
export async function removeConversation(actor: Authorized<"turns:write">, conversationId: string): Promise<Record<string, never>> {
  const conversation = await findConversation(actor, conversationId);
  const { workspaceId } = conversation;
  const ids = [conversationId, ...(await childrenBelow(conversationId))];
  const facts: FactsById = new Map();
  for (const id of ids) facts.set(id, await loadCallFacts({ workspaceId, conversationId: id }));
  await retryOnConflict(() => db().transaction((tx) => remove(tx, actor, conversation, facts)));
  for (const id of ids) conversationChanged(id);
  policyChanged(workspaceId);
  for (const id of ids) await clearSandbox(id);
  return {};
}

type FactsById = Map<string, CallFacts | null>;

/** Finds the conversations of the agents to which a conversation handed tasks, and of those below; they go with it. */
async function childrenBelow(conversationId: string): Promise<string[]> {
  const rows = await db().execute<{ id: string }>(sql`
    with recursive below as (
      select id from conversations where parent_conversation_id = ${conversationId}
      union all
      select child.id from conversations child join below on child.parent_conversation_id = below.id
    )
    select id from below`);
  return rows.map(({ id }) => id);
}

/** Ends the network of a deleted conversation and removes its /tmp. Other replicas end their networks when idle. */
async function clearSandbox(conversationId: string): Promise<void> {
  try {
    await endConversationNetwork(conversationId);
    await removeTemporaryFolder(conversationId);
    await removeCopies(conversationId);
  } catch (error) {
    log().warn({ err: error, conversationId }, "temporary files and copies of a deleted conversation could not be removed");
  }
}

async function remove(
  tx: Db,
  actor: Authorized<"turns:write">,
  { id: conversationId, workspaceId }: ConversationRow,
  facts: FactsById,
): Promise<void> {
  const ids = [...facts.keys()];
  const open = () =>
    tx
      .select({ id: turns.id, conversationId: turns.conversationId })
      .from(turns)
      .where(and(inArray(turns.conversationId, ids), openTurn))
      .orderBy(asc(turns.id));
  // Lock order: turns first, then their conversation, as in all other transactions that change both.
  await open().for("update");
  // A turn that is submitted meanwhile waits for this lock, and then finds no conversation.
  const [held] = await tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.id, conversationId)).for("update");
  if (!held) throw new AppError("not_found", "This conversation was deleted a moment ago.");
  for (const turn of await open())
    await requestCancel(tx, actor, turn.id, { endRunning: true, facts: facts.get(turn.conversationId) ?? null });
  for (const id of ids) {
    await endConversationJobs(tx, id, toActorRef(actor));
    await endConversationGrants(tx, id, actor);
  }
  await tx.delete(conversations).where(eq(conversations.id, conversationId));
  await record(tx, {
    workspaceId,
    event: "conversation.removed",
    actor: toActorRef(actor),
    subject: conversationId,
    conversationId,
    requestId: actor.requestId,
  });
  for (const id of ids) await signalOnCommit(tx, { topic: "conversation", conversationId: id });
}
