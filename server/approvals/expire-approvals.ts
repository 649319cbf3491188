import "server-only";
import { and, eq, lte } from "drizzle-orm";
import { approvals } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { settleApproval } from "./settle-approval";

/** Ends one approval whose time is up, which counts as a rejection; does nothing when it was answered. */
export async function expireApproval(approvalId: string): Promise<void> {
  const [approval] = await db().select().from(approvals).where(eq(approvals.id, approvalId));
  if (approval) await settleApproval(approval, { status: "expired", actor: systemActor });
}

/** Where webhooks want to hear of it, each takes a connection of its own. */
const atOnce = 64;

/** Ends every approval whose time is up: what a lost timer would have done. */
export async function expireOverdueApprovals(): Promise<void> {
  const overdue = await db()
    .select()
    .from(approvals)
    .where(and(eq(approvals.status, "pending"), lte(approvals.expiresAt, new Date())));
  for (let from = 0; from < overdue.length; from += atOnce) {
    const some = overdue.slice(from, from + atOnce);
    await Promise.all(some.map((approval) => settleApproval(approval, { status: "expired", actor: systemActor })));
  }
}
