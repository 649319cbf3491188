import "server-only";
import { and, asc, inArray, isNotNull } from "drizzle-orm";
import type { Approval } from "@/contracts/approvals";
import type { JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { approvalVotes, type CallHooks, toolCalls } from "@/db/schema";
import { maskSecrets } from "@/server/audit/mask-secrets";
import type { ApprovalRow } from "./settle-approval";

/** The one place where approvals become public, with their votes and what hooks made of their calls. The order is kept. */
export async function presentApprovals(tx: Db, rows: ApprovalRow[]): Promise<Approval[]> {
  if (rows.length === 0) return [];
  const callIds = rows.map(({ callId }) => callId);
  const ids = rows.map(({ id }) => id);
  const [hooked, votes] = await Promise.all([
    tx
      .select({ id: toolCalls.id, hooks: toolCalls.hooks })
      .from(toolCalls)
      .where(and(inArray(toolCalls.id, callIds), isNotNull(toolCalls.hooks))),
    tx.select().from(approvalVotes).where(inArray(approvalVotes.approvalId, ids)).orderBy(asc(approvalVotes.id)),
  ]);
  const hooksOf = new Map(hooked.map(({ id, hooks }) => [id, hooks]));
  const votesOf = Map.groupBy(votes, ({ approvalId }) => approvalId);
  return rows.map((row) => presentApproval(row, votesOf.get(row.id) ?? [], hooksOf.get(row.callId) ?? null));
}

function presentApproval(row: ApprovalRow, votes: (typeof approvalVotes.$inferSelect)[], hooks: CallHooks | null): Approval {
  return {
    id: row.id,
    status: row.status,
    turnId: row.turnId,
    callId: row.callId,
    conversationId: row.conversationId,
    agent: row.agent,
    tool: {
      name: row.toolName,
      title: row.toolTitle,
      source: row.toolSource,
      effect: row.toolEffect,
      primaryArgument: row.primaryArgument,
    },
    arguments: maskSecrets(row.arguments) as JsonObject,
    ...(hooks?.sent ? { sentArguments: hooks.sent } : {}),
    ...(hooks ? { hooks: hooks.steps } : {}),
    argumentsDigest: row.argumentsDigest,
    decision: row.decision,
    requestedBy: row.requestedBy,
    requestedAt: row.requestedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: row.decidedBy,
    votes: votes.map(({ actor, decision, comment, at }) => ({ actor, decision, comment, at: at.toISOString() })),
    quorum: { needed: row.quorumNeeded, got: votes.filter(({ decision }) => decision === "approve").length },
    comment: row.comment,
    drift: row.drift,
  };
}
