import "server-only";
import { and, eq } from "drizzle-orm";
import { auditEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

/** Explains an approval that is not there. The audit still knows one that was cancelled with its conversation. */
export async function missingApproval(workspaceId: string, approvalId: string): Promise<AppError> {
  const isCancelled = and(
    eq(auditEvents.workspaceId, workspaceId),
    eq(auditEvents.event, "approval.cancelled"),
    eq(auditEvents.subject, approvalId),
  );
  const [cancelled] = await db().select({ id: auditEvents.id }).from(auditEvents).where(isCancelled).limit(1);
  return new AppError(
    "not_found",
    cancelled
      ? "This approval was cancelled, because its conversation was deleted. Nothing is left to decide."
      : "This approval does not exist. GET /api/v1/approvals lists them.",
  );
}
