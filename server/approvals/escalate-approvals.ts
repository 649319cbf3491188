import "server-only";
import { and, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
import { approvals } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { settleApproval } from "./settle-approval";

const atOnce = 64;

const isDue = and(eq(approvals.status, "pending"), isNull(approvals.escalatedAt), lte(approvals.escalatesAt, sql`now()`));

/** Announces a due escalation once; `escalatedAt` marks an approval whose escalation was announced. */
export async function escalateApproval(approvalId: string): Promise<void> {
  await escalateAmong(eq(approvals.id, approvalId));
}

/** Escalates approvals that are due but were not announced, because the work item was lost or predates the queue. */
export async function escalateDueApprovals(): Promise<void> {
  await escalateAmong();
}

async function escalateAmong(which?: SQL): Promise<void> {
  const due = await db().select().from(approvals).where(and(isDue, which)).orderBy(approvals.escalatesAt).limit(atOnce);
  await Promise.all(due.map((approval) => settleApproval(approval, { status: "escalated", actor: systemActor })));
}
