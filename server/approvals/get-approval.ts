import "server-only";
import { and, eq } from "drizzle-orm";
import type { Approval } from "@/contracts/approvals/approvals";
import { approvals } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { missingApproval } from "./missing-approval";
import { presentApprovals } from "./present-approval";

export async function getApproval(
  actor: Authorized<"approvals:read"> | Authorized<"approvals:decide">,
  approvalId: string,
): Promise<Approval> {
  const rows = await db()
    .select()
    .from(approvals)
    .where(and(eq(approvals.id, approvalId), eq(approvals.workspaceId, actor.workspaceId)));
  const [approval] = await presentApprovals(db(), rows, actor);
  if (!approval) throw await missingApproval(actor.workspaceId, approvalId);
  return approval;
}
