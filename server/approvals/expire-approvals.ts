import "server-only";
import { and, eq, lte } from "drizzle-orm";
import { approvals } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database";
import { queue } from "@/server/platform/queue";
import { settleApproval } from "./settle-approval";

/** Ends one approval whose time is up, which counts as a rejection; does nothing when it was answered. */
export async function expireApproval(approvalId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [approval] = await tx.select({ turnId: approvals.turnId }).from(approvals).where(eq(approvals.id, approvalId));
    if (!approval) return;
    await lockTurn(tx, approval.turnId);
    const settled = await settleApproval(tx, approvalId, { status: "expired", actor: systemActor });
    if (settled) await queue().send(tx, "resume_turn", { turnId: settled.turnId });
  });
}

/** Ends every approval whose time is up: what a lost timer would have done. */
export async function expireOverdueApprovals(): Promise<void> {
  const overdue = await db()
    .select({ id: approvals.id })
    .from(approvals)
    .where(and(eq(approvals.status, "pending"), lte(approvals.expiresAt, new Date())));
  for (const { id } of overdue) await expireApproval(id);
}
