import "server-only";
import { asc, inArray } from "drizzle-orm";
import type { Approval } from "@/contracts/approvals";
import type { JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { approvalVotes } from "@/db/schema";
import { maskSecrets } from "@/server/audit/mask-secrets";
import type { ApprovalRow } from "./settle-approval";

/** The one place where approvals become public, their votes with them. The order is kept. */
export async function presentApprovals(tx: Db, rows: ApprovalRow[]): Promise<Approval[]> {
  if (rows.length === 0) return [];
  const votes = await tx
    .select()
    .from(approvalVotes)
    .where(
      inArray(
        approvalVotes.approvalId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(approvalVotes.id));
  const votesOf = Map.groupBy(votes, ({ approvalId }) => approvalId);
  return rows.map((row) => presentApproval(row, votesOf.get(row.id) ?? []));
}

function presentApproval(row: ApprovalRow, votes: (typeof approvalVotes.$inferSelect)[]): Approval {
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
