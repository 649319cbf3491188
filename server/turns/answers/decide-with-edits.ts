import "server-only";
import type { Approval, ApprovalAnswer } from "@/contracts/approvals/approvals";
import { decideFound, findDecidableApproval } from "@/server/approvals/decide-approval";
import type { ApprovalRow } from "@/server/approvals/settlement";
import type { Authorized } from "@/server/auth/actor";
import { AppError, isAppError } from "@/server/platform/errors";
import { assertUnchangedFiles } from "../contents/assert-unchanged-files";
import { checkEdit } from "./check-edit";
import { whyDeniedNow } from "./denied-now";

/**
 * Decides an approval, after checking the arguments that the approver changed.
 * @throws AppError as `decideApproval`, `conflict` when a file that the call runs has changed, and `invalid` for changed
 * arguments that may not run
 */
export async function decideWithEdits(
  actor: Authorized<"approvals:decide">,
  approvalId: string,
  answer: ApprovalAnswer,
): Promise<Approval> {
  const approval = await findDecidableApproval(actor, approvalId, answer);
  if (answer.decision === "approve") {
    // Changed arguments are decided on by `checkEdit`.
    if (!answer.arguments) await assertRuns(approval);
    await assertUnchangedFiles(approval);
  }
  return decideFound(actor, approval, answer, answer.arguments && (await checkEdit(approval, answer.arguments)));
}

/** Refuses to approve a call that its turn would deny. */
async function assertRuns(approval: ApprovalRow): Promise<void> {
  const denied = await whyDeniedNow(approval);
  if (denied) throw new AppError("conflict", `${denied} It cannot be approved. Reject it, or change that rule first.`);
}

export type ManyResults = {
  results: { id: string; ok: boolean; approval: Approval | null; code: string | null; detail: string | null }[];
};

/** Decisions that are written side by side: they share commits, and each waits for several answers of the database. */
const sideBySide = 10;

/** Decides several approvals, a few side by side, and answers in the order of the list; a failure does not stop the rest. */
export async function decideMany(
  actor: Authorized<"approvals:decide">,
  answers: readonly (ApprovalAnswer & { id: string })[],
): Promise<ManyResults> {
  const results: ManyResults["results"] = [];
  for (let start = 0; start < answers.length; start += sideBySide) {
    results.push(...(await Promise.all(answers.slice(start, start + sideBySide).map((answer) => decideOne(actor, answer)))));
  }
  return { results };
}

async function decideOne(
  actor: Authorized<"approvals:decide">,
  { id, ...answer }: ApprovalAnswer & { id: string },
): Promise<ManyResults["results"][number]> {
  try {
    return { id, ok: true, approval: await decideWithEdits(actor, id, answer), code: null, detail: null };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { id, ok: false, approval: null, code: error.code, detail: error.message };
  }
}
