import "server-only";
import { argumentsDigest, definitionHash } from "@/server/approvals/arguments-digest";
import { commentsOf } from "@/server/approvals/comments-of";
import type { ApprovalRow } from "@/server/approvals/settlement";
import { maskedArguments } from "@/server/audit/kept-arguments";
import { noGrants } from "@/server/guard/grants/compiled-grants";
import { isDatabaseAway } from "@/server/platform/database/sql-state";
import { log } from "@/server/platform/log";
import type { PreparedCall } from "@/server/tools/prepare-call";
import { findChangedFiles } from "../contents/call-contents";
import { type Outcome, sentences, undecidable } from "../outcome";
import type { CallRow } from "../read/present-turn";
import type { Barrier, PlannedCall, ReadyCall } from "../step-data";
import type { TurnContext } from "../turn-context";
import { dependsOnEarlier, type EffectfulCall } from "./call-dependence";
import { completeArguments, IncompleteArguments } from "./complete-arguments";
import { decideWithContents } from "./decide-call";
import { denyListedTool } from "./deny-listed-tool";
import { whyStopped } from "./loop-guard";
import { repeatedRefusals } from "./remember-refusals";

export type Verdict = { refused: Outcome } | { ready: ReadyCall } | { barrier: Barrier };

export type Decidable = Exclude<PlannedCall, { dropped: Outcome }>;

/** The calls before one in its reply. */
export type Earlier = {
  all: readonly CallRow[];
  /** Those that will run before it and have not started. */
  next: readonly EffectfulCall[];
};

/** Decides one call. An error refuses the call, because no text of a model may stop a turn. */
export async function decidePlanned(context: TurnContext, call: Decidable, earlier: Earlier): Promise<Verdict> {
  try {
    return call.approval ? await decideAnswered(context, call, call.approval, earlier) : await decideFresh(context, call);
  } catch (error) {
    // The turn is tried again when the database is back.
    if (isDatabaseAway(error)) throw error;
    if (error instanceof IncompleteArguments) return { refused: { callId: call.row.id, status: "failed", text: error.message } };
    log().warn({ err: error, callId: call.row.id }, "a call could not be decided");
    return { refused: undecidable(call.row, error) };
  }
}

async function decideFresh(context: TurnContext, { row, prepared }: Decidable): Promise<Verdict> {
  const listed = denyListedTool(context, row);
  if (listed) return { refused: listed };
  const refusal = row.hooks?.refusal;
  if (prepared.kind === "failed") {
    return refusal ? { refused: { callId: row.id, status: "denied", text: refusal, name: prepared.name } } : refusePrepared(row, prepared);
  }
  const call = await decided(context, row, prepared);
  if (refusal && call.decision.verdict === "deny") return refuse(call, refusal);
  if (refusal)
    return refuse({ ...call, decision: { ...call.decision, verdict: "deny", reason: refusal, ruleId: null, ruleDigest: null } }, refusal);
  const stopped = call.decision.verdict === "deny" ? null : whyStopped(context.conversation.failures, call);
  if (stopped) return refuse(call, stopped, "failed");
  switch (call.decision.verdict) {
    case "allow":
      return { ready: call };
    case "deny":
      return refuseDenied(call);
    case "require_approval":
      return context.conversation.interactive
        ? { barrier: { kind: "ask", call, drift: [], voided: null } }
        : refuse(call, sentences.nobodyToAsk(call.registered.name, call.decision.reason));
  }
}

async function decideAnswered(context: TurnContext, planned: Decidable, approval: ApprovalRow, earlier: Earlier): Promise<Verdict> {
  const { row } = planned;
  const { id: callId, name } = row;
  switch (approval.status) {
    case "pending":
      return { barrier: { kind: "waiting", row, approvalId: approval.id } };
    case "rejected":
      return { refused: { callId, status: "rejected", text: sentences.rejected(name, approval.comment) } };
    case "expired":
      return { refused: { callId, status: "expired", text: sentences.expired(name) } };
    case "cancelled":
      return { refused: { callId, status: "cancelled", text: sentences.cancelled(name) } };
    // `answered` settles a question of a running tool and lets no call run.
    case "answered":
      return decideFresh(context, planned);
    case "void":
      return withDrift(await decideFresh(context, planned), approval.drift);
    case "approved":
      return decideApproved(context, planned, approval, earlier);
  }
}

/** Says on the new approval what made the earlier one void. */
function withDrift(verdict: Verdict, drift: string[]): Verdict {
  return "barrier" in verdict && verdict.barrier.kind === "ask" ? { barrier: { ...verdict.barrier, drift } } : verdict;
}

/**
 * Decides an approved call. An approval holds for exactly what was shown: the tool's schema, the arguments, the rule and
 * the contents of the files that the call runs.
 * Drift voids the approval and asks anew with the drift; a call that is denied now is denied.
 */
async function decideApproved(
  context: TurnContext,
  { row, prepared }: Decidable,
  approval: ApprovalRow,
  earlier: Earlier,
): Promise<Verdict> {
  const listed = denyListedTool(context, row);
  if (listed) return { refused: listed };
  if (prepared.kind === "failed") return refusePrepared(row, prepared);
  const asked = {
    ...context,
    // Without grants, because the call runs on this approval, not on a grant that was made with it.
    policy: { ...context.policy, grants: noGrants },
    seenRefusals: refusedSinceAsked(earlier, approval),
  };
  const call = await decided(asked, row, prepared);
  if (call.decision.verdict === "deny") return refuseDenied(call);
  const drift = [
    ...findDrift(call, approval),
    ...findDriftOfReply(call, approval, context, earlier),
    ...(await findChangedFiles(context, call, approval.contents)),
  ];
  if (drift.length > 0) return { barrier: { kind: "ask", call, drift, voided: approval } };
  return { ready: { ...call, contents: approval.contents, comments: await commentsOf(approval) } };
}

/** Ids of the calls of a reply whose refusals cannot have been told when a later call was asked, because its approvers saw the whole reply. */
function refusedSinceAsked({ all }: Earlier, approval: ApprovalRow): ReadonlySet<string> {
  const told = new Set(repeatedRefusals(approval.editedDecision ?? approval.decision));
  return new Set(all.flatMap(({ id }) => (told.has(id) ? [] : id)));
}

/**
 * Returns a sentence when earlier calls of the reply change what a call touches and nobody could know when the call was
 * asked: an earlier call was edited, or rewritten by a hook, after that.
 */
function findDriftOfReply(call: ReadyCall, approval: ApprovalRow, { scope }: TurnContext, { all, next }: Earlier): string[] {
  const since = all.filter(({ startedAt }) => startedAt !== null && startedAt > approval.requestedAt);
  const ran = since.map(({ name, decision }): EffectfulCall => ({ registered: scope.catalog.find(name) ?? null, decision }));
  return dependsOnEarlier(call, [...ran, ...next])
    ? ["An earlier call of the same reply was changed after this call was asked, and changes files that this call uses."]
    : [];
}

/** Returns a sentence for each thing that changed since the approval. */
function findDrift({ registered, arguments: args, decision }: ReadyCall, approval: ApprovalRow): string[] {
  const drift: string[] = [];
  const digest = argumentsDigest({ toolName: registered.name, arguments: args, definitionHash: definitionHash(registered) });
  if (digest !== approval.argumentsDigest) {
    drift.push(
      `The tool ${registered.name} changed after it was approved: its name, its description, its hints, its schema or what its schema makes of the arguments.`,
    );
  }
  const askedUnder = approval.editedDecision ?? approval.decision;
  if (decision.verdict === "require_approval" && decision.ruleDigest !== askedUnder.ruleDigest) {
    drift.push(`Another or a changed rule asks now: ${decision.reason}`);
  }
  return drift;
}

async function decided(context: TurnContext, row: CallRow, prepared: Extract<PreparedCall, { kind: "ready" }>): Promise<ReadyCall> {
  const { registered, tool, arguments: given } = prepared;
  const args = await completeArguments(context, tool, given);
  const { decision, contents } = await decideWithContents(context, registered, args);
  // The wish to run in the background is kept in `jobId` while a call waits for its approval, and in `hooks` once hooks have run.
  return {
    row,
    registered,
    tool,
    arguments: args,
    ...(tool.completeArguments ? { given } : {}),
    decision,
    contents,
    ...(row.edited ? { edited: { asked: row.edited.asked, run: maskedArguments(args) } } : {}),
    inBackground: prepared.inBackground || row.hooks?.inBackground === true || row.jobId !== null,
  };
}

/** Refuses a denied call. A call that has to be split was not forbidden: its commands may be sent again, and nothing remembers them as refused. */
function refuseDenied(call: ReadyCall): Verdict {
  const { decision, registered } = call;
  return decision.split
    ? refuse(call, sentences.mustSplit(registered.name, decision.reason), "failed")
    : refuse(call, sentences.denied(registered.name, decision.reason));
}

function refuse({ row, registered, arguments: args, decision }: ReadyCall, text: string, status: "denied" | "failed" = "denied"): Verdict {
  return { refused: { callId: row.id, status, text, name: registered.name, arguments: args, decision } };
}

function refusePrepared(row: CallRow, { name, message }: Extract<PreparedCall, { kind: "failed" }>): Verdict {
  return { refused: { callId: row.id, status: "failed", text: message, name } };
}
