import "server-only";
import { and } from "drizzle-orm";
import type { Approval, ApprovalFilter, approvalSorts } from "@/contracts/approvals/approvals";
import { approvals } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { approvalCondition, approvalOrders } from "./approval-filter";
import { presentApprovals } from "./present-approval";

export type ApprovalPage = { limit?: number; cursor?: string; sort?: (typeof approvalSorts)[number] };
type Page = { items: Approval[]; nextCursor: string | null; total: number };

/** Lists the approvals that match a filter, newest first by default. */
export async function listApprovals(
  actor: Authorized<"approvals:read">,
  { limit = 50, cursor, sort = "newest", ...filter }: ApprovalFilter & ApprovalPage,
): Promise<Page> {
  const covered = approvalCondition(actor, filter);
  const order = approvalOrders[sort];
  const [found, total] = await Promise.all([
    db()
      .select()
      .from(approvals)
      .where(and(covered, cursor ? order.after(cursor) : undefined))
      .orderBy(...order.by)
      .limit(limit + 1),
    db().$count(approvals, covered),
  ]);
  const { rows, nextCursor } = toPage(found, limit, order.keyOf);
  return { items: await presentApprovals(db(), rows, actor), nextCursor, total };
}
