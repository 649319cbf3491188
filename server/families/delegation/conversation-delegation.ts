import "server-only";
import { and, desc, eq } from "drizzle-orm";
import type { ConversationDelegation, HandedTask } from "@/contracts/agents/delegation";
import { agents, conversations, runMessages, runs, toolCalls } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";

/** Characters of a task in a list. */
const shownChars = 300;
const maxChildren = 100;

/** Returns who handed a conversation its task, and the tasks that it handed on. @throws AppError `not_found` */
export async function getConversationDelegation(actor: Authorized<"turns:read">, id: string): Promise<ConversationDelegation> {
  const { delegators, parentCallId } = await findConversation(actor, id);
  const [nearest] = delegators;
  const [call] = parentCallId ? await db().select({ turnId: toolCalls.turnId }).from(toolCalls).where(eq(toolCalls.id, parentCallId)) : [];
  const parent =
    nearest && parentCallId && call
      ? { conversationId: nearest.conversationId, agent: nearest.agent, callId: parentCallId, turnId: call.turnId }
      : null;
  return { delegators, parent, children: await listHandedTasks(id) };
}

/** Lists the tasks that the agent of a conversation handed on, newest first. */
export async function listHandedTasks(conversationId: string): Promise<HandedTask[]> {
  const rows = await db()
    .select({ run: runs, agent: agents.name, callId: conversations.parentCallId, first: runMessages.content })
    .from(conversations)
    .innerJoin(runs, eq(runs.conversationId, conversations.id))
    .innerJoin(agents, eq(agents.id, runs.agentId))
    .leftJoin(runMessages, and(eq(runMessages.runId, runs.id), eq(runMessages.position, 0)))
    .where(eq(conversations.parentConversationId, conversationId))
    .orderBy(desc(runs.id))
    .limit(maxChildren);
  return rows.map(({ run, agent, callId, first }) => ({
    runId: run.id,
    conversationId: run.conversationId,
    agent,
    callId,
    turnId: run.turnId,
    status: run.status,
    task: (first?.text ?? "").slice(0, shownChars).toWellFormed(),
    createdAt: run.createdAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  }));
}
