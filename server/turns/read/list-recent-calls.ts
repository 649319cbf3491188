import "server-only";
import { and, desc, eq, gte, inArray, isNotNull, lt } from "drizzle-orm";
import type { CallFilter, CallSummary } from "@/contracts/calls/calls";
import { agents, auditEvents, conversations, toolCalls, turns } from "@/db/schema";
import { tellEdit } from "@/server/approvals/told-edit";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { maskSecrets } from "@/server/secrets/mask-secrets";
import { callEndEvents, usageDays } from "@/server/tools/call-end-events";

const dayMs = 86_400_000;
const newestConversations = 200;
/** Number of newest ended calls of a tool that are searched; an agent's calls are picked from these. */
const newestEnds = 1_000;

/**
 * Lists recent calls that the actor may see, newest first. Both filters are bounded, because a workspace has millions
 * of calls: the tool filter reads the audit's index by tool, the agent filter the agent's newest conversations.
 */
export async function listRecentCalls(
  actor: Authorized<"turns:read">,
  { tool, agentId = actor.agentId ?? undefined, limit = 50, cursor }: CallFilter & { limit?: number; cursor?: string },
): Promise<{ items: CallSummary[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : lt(toolCalls.id, decodeCursor(cursor, IdCursor)[0]);
  const isForeign = actor.agentId !== null && agentId !== actor.agentId;
  const ids = tool === undefined || isForeign ? null : await endedCalls(actor.workspaceId, tool);
  const inConversations = agentId === undefined || isForeign ? null : await conversationsOf(actor.workspaceId, agentId);
  if (isForeign || ids?.length === 0 || inConversations?.length === 0) return { items: [], nextCursor: null };
  const found = await db()
    .select({ call: toolCalls, conversationId: turns.conversationId, agent: agents.name })
    .from(toolCalls)
    .innerJoin(turns, eq(toolCalls.turnId, turns.id))
    .innerJoin(conversations, eq(turns.conversationId, conversations.id))
    .innerJoin(agents, eq(conversations.agentId, agents.id))
    .where(
      and(
        eq(toolCalls.workspaceId, actor.workspaceId),
        after,
        ids ? inArray(toolCalls.id, ids) : undefined,
        inConversations ? inArray(turns.conversationId, inConversations) : undefined,
      ),
    )
    .orderBy(desc(toolCalls.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ call }) => [call.id]);
  const items = rows.map(({ call, conversationId, agent }) => ({
    callId: call.id,
    turnId: call.turnId,
    conversationId,
    agent,
    name: call.name,
    arguments: maskSecrets(call.rawArguments ?? call.arguments),
    ...tellEdit(call.edited),
    status: call.status,
    verdict: call.decision?.verdict ?? null,
    durationMs: call.durationMs,
    createdAt: call.createdAt.toISOString(),
  }));
  return { items, nextCursor };
}

async function endedCalls(workspaceId: string, tool: string): Promise<string[]> {
  const rows = await db()
    .select({ callId: auditEvents.callId })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.workspaceId, workspaceId),
        eq(auditEvents.tool, tool),
        gte(auditEvents.at, new Date(sharedNowMs() - usageDays * dayMs)),
        inArray(auditEvents.event, callEndEvents),
        isNotNull(auditEvents.callId),
      ),
    )
    .orderBy(desc(auditEvents.at))
    .limit(newestEnds);
  return rows.flatMap(({ callId }) => callId ?? []);
}

async function conversationsOf(workspaceId: string, agentId: string): Promise<string[]> {
  const rows = await db()
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.workspaceId, workspaceId), eq(conversations.agentId, agentId)))
    .orderBy(desc(conversations.id))
    .limit(newestConversations);
  return rows.map(({ id }) => id);
}
