import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { approvals } from "@/db/schema";
import { settleApproval } from "./settle-approval";

/** Voids the pending approvals of calls that no longer wait for an answer. The caller holds the turn's lock. */
export async function voidPendingApprovals(
  tx: Db,
  callIds: readonly string[],
  { actor, why }: { actor: ActorRef; why: (toolName: string) => string },
): Promise<void> {
  if (callIds.length === 0) return;
  const open = await tx
    .select()
    .from(approvals)
    .where(and(inArray(approvals.callId, [...callIds]), eq(approvals.status, "pending")));
  for (const approval of open) await settleApproval(approval, { status: "void", actor, drift: [why(approval.toolName)] }, tx);
}
