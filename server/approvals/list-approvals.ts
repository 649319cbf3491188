import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { Approval, ApprovalFilter } from "@/contracts/approvals";
import { approvals } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { decodeCursor, IdCursor, pageOf } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { presentApprovals } from "./present-approval";

type Page = { items: Approval[]; nextCursor: string | null; total: number };

/** Approvals, newest first (ids are UUIDv7, so their order is the order of asking). */
export async function listApprovals(
  actor: Holder<"approvals:read">,
  { limit = 50, cursor, ...filter }: ApprovalFilter & { limit?: number; cursor?: string },
): Promise<Page> {
  const covered = and(
    eq(approvals.workspaceId, actor.workspaceId),
    filter.status ? eq(approvals.status, filter.status) : undefined,
    filter.tool ? eq(approvals.toolName, filter.tool) : undefined,
    filter.agent ? eq(approvals.agent, filter.agent) : undefined,
    filter.conversationId ? eq(approvals.conversationId, filter.conversationId) : undefined,
  );
  const after = cursor ? decodeCursor(cursor, IdCursor)[0] : null;
  const [found, total] = await Promise.all([
    db()
      .select()
      .from(approvals)
      .where(and(covered, after ? lt(approvals.id, after) : undefined))
      .orderBy(desc(approvals.id))
      .limit(limit + 1),
    db().$count(approvals, covered),
  ]);
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
  return { items: await presentApprovals(db(), rows), nextCursor, total };
}
