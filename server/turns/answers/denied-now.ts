import "server-only";
import type { Approval } from "@/contracts/approvals/approvals";
import { getApproval } from "@/server/approvals/get-approval";
import { readApproval } from "@/server/approvals/read-approval";
import type { ApprovalRow } from "@/server/approvals/settlement";
import type { Authorized } from "@/server/auth/actor";
import { noGrants } from "@/server/guard/grants/compiled-grants";
import { log } from "@/server/platform/log";
import { loadPolicy } from "@/server/policy/policy";
import { completeArguments } from "../decide/complete-arguments";
import { decideCall } from "../decide/decide-call";
import { storedTurn } from "../live-turn";
import { prepareRow } from "../prepare-row";
import { loadTurn } from "../read/load-turn";
import { loadTurnContext } from "../turn-context";

/** Reads one approval, and says when a rule that was saved since denies its call. */
export async function getApprovalNow(
  actor: Authorized<"approvals:read"> | Authorized<"approvals:decide">,
  approvalId: string,
): Promise<Approval> {
  const approval = await getApproval(actor, approvalId);
  if (approval.status !== "pending") return approval;
  const row = await readApproval(approvalId);
  const deniedNow = row ? await whyDeniedNow(row) : null;
  return deniedNow === null ? approval : { ...approval, deniedNow };
}

/**
 * Returns why the turn would deny a pending call although somebody approves it: the call is decided as the turn will decide
 * it, under today's policy. Null when it would run, or would be asked again.
 */
export async function whyDeniedNow(approval: ApprovalRow): Promise<string | null> {
  if (approval.kind !== "call" || Object.hasOwn(approval.arguments, "gate")) return null;
  const policy = await loadPolicy(approval.workspaceId);
  if (policy.version === approval.decision.policyVersion) return null;
  try {
    return await decideAgain(approval);
  } catch (error) {
    // The turn decides for itself before the call runs, so a failure here must not hold up the answer.
    log().warn({ err: error, approvalId: approval.id }, "a pending call could not be decided again");
    return null;
  }
}

async function decideAgain({ turnId, callId }: ApprovalRow): Promise<string | null> {
  const loaded = await loadTurn(turnId);
  const call = loaded && storedTurn(loaded.turn, loaded.calls).calls.find(({ id }) => id === callId);
  if (!loaded || !call) return null;
  const context = await loadTurnContext(loaded.turn, { fresh: true });
  const prepared = prepareRow(context, call);
  if (prepared.kind === "failed") return null;
  const args = await completeArguments(context, prepared.tool, prepared.arguments);
  const decision = await decideCall({ ...context, policy: { ...context.policy, grants: noGrants } }, prepared.registered, args);
  if (decision.verdict !== "deny") return null;
  const rule = decision.trace.find(({ ruleId }) => ruleId === decision.ruleId)?.ruleName;
  return rule
    ? `A rule saved since then denies this call: ${rule}. ${decision.reason}`
    : `Since then the guard denies this call: ${decision.reason}`;
}
