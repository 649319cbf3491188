import "server-only";
import { and, eq } from "drizzle-orm";
import type { Approval, ApprovalAnswer } from "@/contracts/approvals";
import { approvals, approvalVotes } from "@/db/schema";
import { type Holder, refOf } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { signalHere } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { queue } from "@/server/platform/queue";
import { getApproval } from "./get-approval";
import { type ApprovalRow, settleApproval } from "./settle-approval";

/**
 * A person's answer. The answer, its audit row and the job that resumes the turn commit in one transaction, so a
 * decision is never lost and never counts twice.
 * @throws AppError `already_decided` with who and when; `not_found`; `forbidden` for the key that asked.
 */
export async function decideApproval(actor: Holder<"approvals:decide">, approvalId: string, answer: ApprovalAnswer): Promise<Approval> {
  const turnId = await db().transaction(async (tx) => {
    const [approval] = await tx
      .select()
      .from(approvals)
      .where(and(eq(approvals.id, approvalId), eq(approvals.workspaceId, actor.workspaceId)));
    if (!approval) throw noSuchApproval();
    if (actor.type !== "user" && actor.id === approval.requestedBy.id) {
      throw new AppError("forbidden", "The key that asked for this call cannot answer for it. A person has to decide.");
    }
    await lockTurn(tx, approval.turnId);
    const settled = await settleApproval(tx, approvalId, {
      status: answer.decision === "approve" ? "approved" : "rejected",
      actor: refOf(actor),
      comment: answer.comment,
      requestId: actor.requestId,
    });
    if (!settled) {
      const [now] = await tx.select().from(approvals).where(eq(approvals.id, approvalId));
      // Deleted with its conversation, between our two looks.
      throw now ? new AppError("already_decided", whyTooLate(now)) : noSuchApproval();
    }
    const { decision, comment } = answer;
    await Promise.all([
      tx.insert(approvalVotes).values({ approvalId, actor: refOf(actor), decision, comment }),
      queue().send(tx, "resume_turn", { turnId: settled.turnId }),
    ]);
    return settled.turnId;
  });
  // The job is what counts; where turns are worked on in this process, nobody has to wait for it.
  signalHere({ topic: "resume", turnId });
  return getApproval(actor, approvalId);
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
