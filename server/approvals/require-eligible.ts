import "server-only";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { whyIneligible } from "./may-decide";
import { escalatedAmong } from "./present-approval";
import type { ApprovalRow } from "./settlement";

/** Checks that the actor may settle the approval; every endpoint calls this. @throws AppError `forbidden` */
export async function requireEligible(actor: Actor, approval: ApprovalRow): Promise<void> {
  const isEscalated = approval.escalatesAt !== null && (await escalatedAmong(db(), [approval])).has(approval.id);
  const ineligible = whyIneligible(approval, actor, isEscalated);
  if (ineligible) throw new AppError("forbidden", ineligible);
}
