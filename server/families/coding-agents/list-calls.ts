import "server-only";
import { and, desc, eq, inArray, isNotNull, or } from "drizzle-orm";
import type { CodingCall, codingCallStates } from "@/contracts/agents/coding-agents";
import { codingSessions, toolCalls, turns } from "@/db/schema";
import { oneLine, summarizeCall } from "@/server/approvals/describe-approval";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { builtinTools } from "@/server/tools/builtin-tools";
import { statusWords } from "./present-call";

type State = (typeof codingCallStates)[number];

/** Calls are looked for in this many of the sessions that were seen last. */
const newestSessions = 200;

/** Lists the newest calls of coding agents that wait or are at work, or that were refused or changed by a person. */
export async function listCodingCalls(
  { workspaceId }: Authorized<"turns:read">,
  { state, limit }: { state: State; limit: number },
): Promise<{ items: CodingCall[] }> {
  const sessions = await db()
    .select()
    .from(codingSessions)
    .where(eq(codingSessions.workspaceId, workspaceId))
    .orderBy(desc(codingSessions.lastSeenAt))
    .limit(newestSessions);
  if (sessions.length === 0) return { items: [] };
  const byConversation = new Map(sessions.map((session) => [session.conversationId, session]));
  const found = await db()
    .select({ call: toolCalls, conversationId: turns.conversationId })
    .from(turns)
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(
      and(
        inArray(turns.conversationId, [...byConversation.keys()]),
        isNotNull(turns.machine),
        state === "open"
          ? and(eq(turns.status, "suspended"), inArray(toolCalls.status, ["awaiting_approval", "released"]))
          : or(inArray(toolCalls.status, ["denied", "rejected", "expired"]), isNotNull(toolCalls.edited)),
      ),
    )
    .orderBy(desc(toolCalls.id))
    .limit(limit);
  const items = found.flatMap(({ call, conversationId }): CodingCall[] => {
    const session = byConversation.get(conversationId);
    return session ? [presentCodingCall(call, session)] : [];
  });
  return { items };
}

function presentCodingCall(call: typeof toolCalls.$inferSelect, session: typeof codingSessions.$inferSelect): CodingCall {
  const status = statusWords[call.status];
  const primaryArgument = builtinTools().find(({ name }) => name === call.name)?.primaryArgument ?? null;
  return {
    id: call.id,
    turnId: call.turnId,
    conversationId: session.conversationId,
    approvalId: call.approvalId,
    client: session.client,
    folder: session.folder,
    host: session.host,
    tool: call.requestedName,
    summary: summarizeCall(call.arguments, primaryArgument),
    status,
    reason: oneLine(status === "waiting" ? (call.decision?.reason ?? "") : status === "refused" ? call.content : ""),
    editedBy: call.edited?.by ?? null,
    at: (call.finishedAt ?? call.startedAt ?? call.createdAt).toISOString(),
  };
}
