import "server-only";
import type { Approval, ApprovalAnswer } from "@/contracts/approvals";
import { decideApproval, findDecidableApproval } from "@/server/approvals/decide-approval";
import type { Authorized } from "@/server/auth/actor";
import { isAppError } from "@/server/platform/errors";
import { checkEdit } from "./check-edit";

/**
 * Decides an approval, after checking the arguments that the approver changed.
 * @throws AppError as `decideApproval`, and `invalid` for changed arguments that may not run
 */
export async function decideWithEdits(
  actor: Authorized<"approvals:decide">,
  approvalId: string,
  answer: ApprovalAnswer,
): Promise<Approval> {
  if (!answer.arguments) return decideApproval(actor, approvalId, answer);
  const approval = await findDecidableApproval(actor, approvalId, answer);
  return decideApproval(actor, approvalId, answer, await checkEdit(approval, answer.arguments));
}

export type ManyResults = {
  results: { id: string; ok: boolean; approval: Approval | null; code: string | null; detail: string | null }[];
};

/** Decides several approvals one after the other; a failure does not stop the rest. */
export async function decideMany(
  actor: Authorized<"approvals:decide">,
  answers: (ApprovalAnswer & { id: string })[],
): Promise<ManyResults> {
  const results: ManyResults["results"] = [];
  for (const { id, ...answer } of answers) {
    try {
      results.push({ id, ok: true, approval: await decideWithEdits(actor, id, answer), code: null, detail: null });
    } catch (error) {
      if (!isAppError(error)) throw error;
      results.push({ id, ok: false, approval: null, code: error.code, detail: error.message });
    }
  }
  return { results };
}
