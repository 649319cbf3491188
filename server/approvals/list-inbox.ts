import "server-only";
import { and, inArray } from "drizzle-orm";
import type { ApprovalFilter, InboxRow } from "@/contracts/approvals/approvals";
import { approvals } from "@/db/schema";
import type { Actor, Authorized } from "@/server/auth/actor";
import { toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { approvalCondition, approvalOrders, isEscalatedSql } from "./approval-filter";
import type { ApprovalPage } from "./list-approvals";
import { mayDecide } from "./may-decide";
import type { ApprovalRow } from "./settlement";

type Page = { items: InboxRow[]; nextCursor: string | null; total: number };

/**
 * Lists approvals as lines of the inbox, the next to expire first. Selects only the columns that a line needs.
 * @param only ids with commas between them: no other lines are listed, though all are counted
 */
export async function listInbox(
  actor: Authorized<"approvals:read">,
  { limit = 50, cursor, sort = "expires", only, ...filter }: ApprovalFilter & ApprovalPage & { only?: string | undefined },
): Promise<Page> {
  const covered = approvalCondition(actor, filter);
  const order = approvalOrders[sort];
  const [found, total] = await Promise.all([
    db()
      .select({ ...lineColumns, isEscalated: isEscalatedSql })
      .from(approvals)
      .where(and(covered, only ? inArray(approvals.id, only.split(",")) : undefined, cursor ? order.after(cursor) : undefined))
      .orderBy(...order.by)
      .limit(limit + 1),
    db().$count(approvals, covered),
  ]);
  const { rows, nextCursor } = toPage(found, limit, order.keyOf);
  return {
    items: rows.map((row) => presentLine(row, actor)),
    nextCursor,
    total,
  };
}

type Line = Pick<ApprovalRow, keyof typeof lineColumns> & { isEscalated: boolean };

/** Presents a row as a line of the inbox. */
export function presentLine({ isEscalated, ...row }: Line, actor: Actor): InboxRow {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    summary: row.summary,
    shape: row.shape,
    risk: row.risk,
    agent: row.agent,
    turnId: row.turnId,
    conversationId: row.conversationId,
    requestedBy: row.requestedBy,
    delegators: row.delegators,
    requestedAt: row.requestedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    quorum: { needed: row.quorumNeeded, got: row.approvedBy.length },
    mayDecide: mayDecide(row, actor, isEscalated),
    tool: { name: row.toolName, title: row.toolTitle, effect: row.toolEffect },
    rule: row.ruleId === null ? null : { id: row.ruleId, name: row.ruleName ?? "" },
  };
}

export const lineColumns = {
  id: approvals.id,
  kind: approvals.kind,
  status: approvals.status,
  summary: approvals.summary,
  shape: approvals.shape,
  risk: approvals.risk,
  agent: approvals.agent,
  turnId: approvals.turnId,
  conversationId: approvals.conversationId,
  requestedBy: approvals.requestedBy,
  delegators: approvals.delegators,
  requestedAt: approvals.requestedAt,
  expiresAt: approvals.expiresAt,
  approvers: approvals.approvers,
  requesterExcluded: approvals.requesterExcluded,
  quorumNeeded: approvals.quorumNeeded,
  approvedBy: approvals.approvedBy,
  toolName: approvals.toolName,
  toolTitle: approvals.toolTitle,
  toolEffect: approvals.toolEffect,
  ruleId: approvals.ruleId,
  ruleName: approvals.ruleName,
};
