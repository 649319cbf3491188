import "server-only";
import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { approvals } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { settleApproval } from "./settle-approval";

/** Approvals expired at once. Bounded, because each takes its own connection when a webhook subscribes to the event. */
const atOnce = 64;

const isOverdue = and(eq(approvals.status, "pending"), lte(approvals.expiresAt, sql`now()`));

/** Expires an approval that is overdue by the database's clock; an expiry counts as a rejection. */
export async function expireApproval(approvalId: string): Promise<void> {
  await expireAmong(eq(approvals.id, approvalId));
}

/** Expires overdue approvals that no work item expired, because the item was lost or predates the queue. */
export async function expireOverdueApprovals(): Promise<void> {
  while ((await expireAmong()) === atOnce) {
    // A full batch: more approvals may be overdue.
  }
}

async function expireAmong(which?: SQL): Promise<number> {
  const overdue = await db().select().from(approvals).where(and(isOverdue, which)).orderBy(approvals.expiresAt).limit(atOnce);
  await Promise.all(overdue.map((approval) => settleApproval(approval, { status: "expired", actor: systemActor })));
  return overdue.length;
}
