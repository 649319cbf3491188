import "server-only";
import type { Approval, ApprovalAnswer } from "@/contracts/approvals";
import type { Remember } from "@/contracts/grants";
import type { Db } from "@/db/client";
import { type Holder, refOf } from "@/server/auth/actor";
import { policyChanged } from "@/server/guard/policy";
import { afterConflicts } from "@/server/platform/after-conflicts";
import { db } from "@/server/platform/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { makeGrantFrom } from "./grants/make-grant-from";
import { presentApprovals } from "./present-approval";
import { readApproval } from "./read-approval";
import { type ApprovalRow, type End, settleApproval } from "./settle-approval";

/**
 * A person's answer. The answer, its audit row and the mark that lets the turn go on are one writing, so a decision is
 * never lost and never counts twice.
 * @throws AppError `already_decided` with who and when; `not_found`; `forbidden` for the key that asked.
 */
export async function decideApproval(
  actor: Holder<"approvals:decide">,
  approvalId: string,
  { decision, comment, remember }: ApprovalAnswer,
): Promise<Approval> {
  const approval = await approvalOf(actor, approvalId);
  if (!approval) throw noSuchApproval();
  if (actor.type !== "user" && actor.id === approval.requestedBy.id) {
    throw new AppError("forbidden", "The key that asked for this call cannot answer for it. A person has to decide.");
  }
  const status = decision === "approve" ? "approved" : "rejected";
  const end = { status, actor: refOf(actor), comment, requestId: actor.requestId } as const;
  if (remember && status === "rejected") throw new AppError("invalid", "Only an approval can be remembered. Send a rejection without it.");
  const settled = remember ? await settleAndRemember(actor, approval, end, remember) : await settleApproval(approval, end);
  if (!settled) {
    const now = await approvalOf(actor, approvalId);
    // Deleted with its conversation, between our two looks.
    throw now ? new AppError("already_decided", whyTooLate(now)) : noSuchApproval();
  }
  const [presented] = await presentApprovals(db(), [settled]);
  if (!presented) throw noSuchApproval();
  return presented;
}

/** An answer and the grant that is made with it: both or neither. */
async function settleAndRemember(
  actor: Holder<"approvals:decide">,
  approval: ApprovalRow,
  end: End,
  remember: Remember,
): Promise<ApprovalRow | undefined> {
  const write = async (tx: Db) => {
    const settled = await settleApproval(approval, end, tx);
    if (settled) await makeGrantFrom(tx, settled, remember, actor);
    return settled;
  };
  const settled = await afterConflicts(() => db().transaction(write));
  if (!settled) return undefined;
  policyChanged(actor.workspaceId);
  return settled;
}

async function approvalOf({ workspaceId }: Holder<"approvals:decide">, approvalId: string): Promise<ApprovalRow | undefined> {
  const approval = await readApproval(approvalId);
  return approval?.workspaceId === workspaceId ? approval : undefined;
}

const noSuchApproval = () => new AppError("not_found", "This approval does not exist. GET /api/v1/approvals lists them.");

function whyTooLate(approval: ApprovalRow): string {
  const at = (approval.decidedAt ?? approval.expiresAt).toISOString();
  if (approval.status === "pending" || approval.status === "expired") {
    return `The time for this approval was up at ${approval.expiresAt.toISOString()}. The agent was told that nobody answered.`;
  }
  return `This approval was already ${approval.status === "void" ? "declared void" : approval.status} by ${approval.decidedBy?.name ?? "Handrail"} at ${at}.`;
}

export type ManyResults = {
  results: { id: string; ok: boolean; approval: Approval | null; code: string | null; detail: string | null }[];
};

/** Decides several, one after the other; one failing does not stop the others. */
export async function decideApprovals(
  actor: Holder<"approvals:decide">,
  answers: (ApprovalAnswer & { id: string })[],
): Promise<ManyResults> {
  const results: ManyResults["results"] = [];
  for (const { id, ...answer } of answers) {
    try {
      results.push({ id, ok: true, approval: await decideApproval(actor, id, answer), code: null, detail: null });
    } catch (error) {
      if (!isAppError(error)) throw error;
      results.push({ id, ok: false, approval: null, code: error.code, detail: error.message });
    }
  }
  return { results };
}
