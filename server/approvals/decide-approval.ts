import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Approval, ApprovalAnswer } from "@/contracts/approvals/approvals";
import type { KeptContents } from "@/contracts/calls/call-contents";
import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decisions/decision";
import type { Db } from "@/db/client";
import { approvals, toolCalls } from "@/db/schema";
import { keepArguments, maskedArguments } from "@/server/audit/kept-arguments";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { retryOnConflict } from "@/server/platform/database/retry-on-conflict";
import { AppError } from "@/server/platform/errors";
import { findGuardedTool } from "@/server/policy/find-guarded-tool";
import { policyChanged } from "@/server/policy/policy";
import { maskInText } from "@/server/secrets/mask-secrets";
import { answerQuestion } from "./answer-question";
import { assessRisk, summarizeCall } from "./describe-approval";
import { explainUnsettled } from "./explain-unsettled";
import { grantFromApproval } from "./grants/grant-from-approval";
import { missingApproval } from "./missing-approval";
import { presentApprovals } from "./present-approval";
import { readApproval } from "./read-approval";
import { requireEligible } from "./require-eligible";
import { settleApproval } from "./settle-approval";
import type { ApprovalRow, End } from "./settlement";

/** Arguments that an approver changed, already checked, with what inbox and turn need of the changed call. */
export type Edit = { arguments: JsonObject; digest: string; decision: Decision; shape: string; contents: KeptContents | null };

/**
 * Decides an approval. The answer, its audit row and the turn's `answered_at` are written together, so a decision is
 * never lost and never counts twice.
 * @throws AppError `already_decided` with the decider and the time; `not_found`; `forbidden` for an ineligible actor; `invalid`
 */
export async function decideApproval(
  actor: Authorized<"approvals:decide">,
  approvalId: string,
  answer: ApprovalAnswer,
  edit?: Edit,
): Promise<Approval> {
  return decideFound(actor, await findDecidableApproval(actor, approvalId, answer), answer, edit);
}

/** Decides an approval that `findDecidableApproval` returned for this answer. @throws AppError as `decideApproval` */
export async function decideFound(
  actor: Authorized<"approvals:decide">,
  approval: ApprovalRow,
  answer: ApprovalAnswer,
  edit?: Edit,
): Promise<Approval> {
  const settled = await settle(actor, approval, answer, edit);
  if (!settled) {
    const now = await approvalOf(actor, approval.id);
    // The approval may have been deleted with its conversation since the first read.
    throw now ? await explainUnsettled(now, actor) : await missingApproval(actor.workspaceId, approval.id);
  }
  const [presented] = await presentApprovals(db(), [settled], actor);
  if (!presented) throw await missingApproval(actor.workspaceId, approval.id);
  return presented;
}

/** Finds an approval that the actor may decide with this answer. @throws AppError `not_found`, `forbidden`, `invalid` */
export async function findDecidableApproval(
  actor: Authorized<"approvals:decide">,
  approvalId: string,
  answer: ApprovalAnswer,
): Promise<ApprovalRow> {
  const approval = await approvalOf(actor, approvalId);
  if (!approval) throw await missingApproval(actor.workspaceId, approvalId);
  await requireEligible(actor, approval);
  assertFitting(approval, answer);
  return approval;
}

/** Checks that the answer fits the approval's kind. @throws AppError `invalid` that names the wrong member */
function assertFitting({ kind }: ApprovalRow, { decision, arguments: edited, answer, remember }: ApprovalAnswer): void {
  const refuse = (path: string, message: string) => {
    throw new AppError("invalid", message, { errors: [{ path, message }] });
  };
  if (kind === "question") {
    if (decision === "approve" && answer === undefined) refuse("answer", "This is a question: send its answer, or reject it to decline.");
    if (edited || remember) refuse(edited ? "arguments" : "remember", "This is a question: send an answer and nothing else.");
  } else if (answer !== undefined) refuse("answer", "This call asks no question. Approve or reject it without an answer.");
  if (decision === "approve") return;
  if (remember) refuse("remember", "Only an approval can be remembered. Send a rejection without it.");
  if (edited) refuse("arguments", "A rejected call runs with no arguments. Send a rejection without them.");
  if (answer !== undefined) refuse("answer", "A rejection declines to answer. Send it without an answer.");
}

async function settle(
  actor: Authorized<"approvals:decide">,
  approval: ApprovalRow,
  { decision, comment, answer, remember }: ApprovalAnswer,
  edit?: Edit,
): Promise<ApprovalRow | undefined> {
  const by = { actor: toActorRef(actor), requestId: actor.requestId, from: actor.via ?? null };
  if (approval.kind === "question" && decision === "approve") return answerQuestion(approval, { ...by, text: answer ?? "" });
  const end: End = { ...by, status: decision === "approve" ? "approved" : "rejected", comment, voterId: actor.personId };
  if (!edit && !remember) return settleApproval(approval, end);
  const remembered = remember && { remember, tool: await findGuardedTool(actor.workspaceId, approval.toolName), actor };
  // One transaction: the answer, the edited arguments and the new grant are written together or not at all.
  const settled = await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const written = await settleApproval(edit ? { ...approval, ...edited(approval, edit) } : approval, end, tx);
      if (!written) return undefined;
      const bound = edit ? await bindEdit(tx, written, edit) : written;
      if (remembered && bound.status === "approved") await grantFromApproval(tx, bound, remembered);
      return bound;
    }),
  );
  if (settled && remember) policyChanged(actor.workspaceId);
  return settled;
}

/** Binds an approval and its call to the arguments that an approver changed. The caller holds the turn's lock. */
async function bindEdit(tx: Db, approval: ApprovalRow, edit: Edit): Promise<ApprovalRow> {
  const change = edited(approval, edit);
  await tx.update(approvals).set(change).where(eq(approvals.id, approval.id));
  const kept = keepArguments({ arguments: edit.arguments, rawArguments: null, sealedArguments: null }, { isOver: false });
  const by = approval.decidedBy;
  // A call that was changed and asked anew keeps what the model asked for.
  const asked = sql`coalesce(${toolCalls.edited} -> 'asked', ${JSON.stringify(approval.arguments)}::jsonb)`;
  const noted = by && sql`jsonb_build_object('asked', ${asked}, 'by', ${JSON.stringify(by)}::jsonb)`;
  await tx
    .update(toolCalls)
    .set({ ...kept, edited: noted })
    .where(eq(toolCalls.id, approval.callId));
  return { ...approval, ...change };
}

/** Returns the columns that an edit changes: every list of approvals then shows what runs. */
function edited({ primaryArgument, toolEffect }: ApprovalRow, { arguments: args, digest, decision, shape, contents }: Edit) {
  return {
    editedArguments: maskedArguments(args),
    editedDecision: decision,
    argumentsDigest: digest,
    contents,
    summary: summarizeCall(args, primaryArgument),
    shape: maskInText(shape),
    risk: assessRisk(decision, toolEffect),
  };
}

async function approvalOf({ workspaceId }: Authorized<"approvals:decide">, approvalId: string): Promise<ApprovalRow | undefined> {
  const approval = await readApproval(approvalId);
  return approval?.workspaceId === workspaceId ? approval : undefined;
}
