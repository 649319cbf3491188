import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decision";
import type { Refusal } from "@/contracts/refusals";
import { maxCallsPerTurn } from "@/contracts/turns";
import { argumentsDigest, definitionHash } from "@/server/approvals/arguments-digest";
import { readApproval } from "@/server/approvals/read-approval";
import type { ApprovalRow } from "@/server/approvals/settle-approval";
import { noGrants } from "@/server/guard/grants/compiled-grants";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { RegisteredTool } from "@/server/tools/catalog";
import type { AnyTool } from "@/server/tools/define-tool";
import { liveTool } from "@/server/tools/live-tools";
import { type PreparedCall, prepareCall } from "@/server/tools/prepare-call";
import { decideCall } from "./decide-call";
import { denyListedTool } from "./deny-listed-tool";
import { answerFrom, hookCall, type KeptResult } from "./hooked-call";
import { whyStopped } from "./loop-guard";
import { type Outcome, sentences } from "./outcome";
import type { CallRow } from "./present-turn";
import { rememberLocally, toRefusal, withoutApproved, withUnsavedRefusals, writtenRefusals } from "./remember-refusals";
import { findResultLimits } from "./result-limits";
import type { TurnContext } from "./turn-context";

/** A call that may start. Its arguments are the ones that were decided on, and are run and recorded. */
export type ReadyCall = {
  row: CallRow;
  registered: RegisteredTool;
  tool: AnyTool;
  arguments: JsonObject;
  decision: Decision;
  /** Whether the call becomes a background job. */
  inBackground: boolean;
  /** The arguments that were asked and those that run, when an approver changed them; secrets are masked in both. */
  edited?: { asked: JsonObject; run: JsonObject };
};

/** The call at which the turn stops until a person has answered. */
export type Barrier =
  | { kind: "waiting"; row: CallRow; approvalId: string }
  | { kind: "ask"; call: ReadyCall; drift: string[]; voided: string | null };

/** The open calls up to the barrier, sorted by what happens to them. */
export type Segment = {
  refused: Outcome[];
  /** Allowed calls that need not run, because a hook cached their result. */
  answered: { call: ReadyCall; outcome: Outcome }[];
  ready: ReadyCall[];
  barrier: Barrier | null;
  /** Rows that hooks have changed. */
  hooked: CallRow[];
  /** Refusals of this segment that the conversation remembers. */
  refusals: Refusal[];
  /** Ids of earlier refused calls that no longer count, because a person approved a call in spite of them. */
  forgiven: string[];
};

type Step = { refused: Outcome } | { ready: ReadyCall } | { answered: ReadyCall; kept: KeptResult } | { barrier: Barrier };

/**
 * Decides the open calls of a turn one after the other, in their order, up to the first that needs a person.
 * @param answers approvals that were read with the calls; the others are queried
 */
export async function planSegment(context: TurnContext, calls: readonly CallRow[], answers: readonly ApprovalRow[] = []): Promise<Segment> {
  const segment: Segment = { refused: [], answered: [], ready: [], barrier: null, hooked: [], refusals: [], forgiven: [] };
  for (const row of calls) {
    if (row.status !== "pending" && row.status !== "awaiting_approval") continue;
    if (row.position >= maxCallsPerTurn) {
      segment.refused.push({ callId: row.id, status: "failed", text: sentences.tooMany(calls.length) });
      continue;
    }
    const before = row.hooks;
    const kept = await hookCall(context, row, () => prepare(context, row));
    if (row.hooks !== before) segment.hooked.push(row);
    const { approvalId } = row;
    const answer = approvalId ? (answers.find(({ id }) => id === approvalId) ?? (await readApproval(approvalId))) : undefined;
    const written = await writtenRefusals(context);
    // The lines above awaited, so calls that were refused meanwhile must count for this call.
    context.conversation = { ...context.conversation, refusals: withUnsavedRefusals(context.conversation.id, written) };
    const step = await planCall(context, row, answer, kept);
    if ("refused" in step) {
      segment.refused.push(step.refused);
      const refusal = toRefusal(context, row, step.refused);
      if (!refusal) continue;
      // Remembered before the next call is planned, because later calls and other turns are decided with this refusal.
      segment.refusals.push(refusal);
      rememberLocally(context.conversation.id, refusal);
    } else if ("answered" in step)
      segment.answered.push({
        call: step.answered,
        outcome: { ...(await answerFrom(context, step.answered, step.kept)), limits: findResultLimits(context, step.answered.registered) },
      });
    else if ("ready" in step) {
      segment.ready.push(step.ready);
      const forgiven = row.approvalId ? withoutApproved(step.ready.decision) : null;
      if (forgiven) segment.forgiven.push(forgiven);
    } else return { ...segment, barrier: step.barrier };
  }
  return segment;
}

/** Plans one call. An error refuses the call and the turn goes on, because no text of a model may stop a turn. */
async function planCall(context: TurnContext, row: CallRow, approval: ApprovalRow | undefined, kept: KeptResult | null): Promise<Step> {
  try {
    return approval ? await planAnswered(context, row, approval) : await planFresh(context, row, kept);
  } catch (error) {
    log().warn({ err: error, callId: row.id }, "a call could not be decided");
    return {
      refused: {
        callId: row.id,
        status: "denied",
        text: sentences.denied(row.name, `It could not be evaluated: ${toErrorMessage(error)}`),
      },
    };
  }
}

async function planFresh(context: TurnContext, row: CallRow, kept: KeptResult | null = null): Promise<Step> {
  const listed = denyListedTool(context, row);
  if (listed) return { refused: listed };
  const prepared = prepare(context, row);
  const refusal = row.hooks?.refusal;
  if (prepared.kind === "failed") {
    return refusal ? { refused: { callId: row.id, status: "denied", text: refusal, name: prepared.name } } : refusePrepared(row, prepared);
  }
  const call = await decided(context, row, prepared);
  if (refusal && call.decision.verdict === "deny") return refuse(call, refusal);
  if (refusal)
    return refuse({ ...call, decision: { ...call.decision, verdict: "deny", reason: refusal, ruleId: null, ruleDigest: null } }, refusal);
  const stopped = call.decision.verdict === "deny" ? null : whyStopped(context.conversation.failures, call);
  if (stopped)
    return {
      refused: {
        callId: row.id,
        status: "failed",
        text: stopped,
        name: call.registered.name,
        arguments: call.arguments,
        decision: call.decision,
      },
    };
  switch (call.decision.verdict) {
    case "allow":
      return kept ? { answered: call, kept } : { ready: call };
    case "deny":
      return refuse(call, sentences.denied(call.registered.name, call.decision.reason));
    case "require_approval":
      return context.conversation.interactive
        ? { barrier: { kind: "ask", call, drift: [], voided: null } }
        : refuse(call, sentences.nobodyToAsk(call.registered.name, call.decision.reason));
  }
}

async function planAnswered(context: TurnContext, row: CallRow, approval: ApprovalRow): Promise<Step> {
  const { name } = row;
  switch (approval.status) {
    case "pending":
      return { barrier: { kind: "waiting", row, approvalId: approval.id } };
    case "rejected":
      return { refused: { callId: row.id, status: "rejected", text: sentences.rejected(name, approval.comment) } };
    case "expired":
      return { refused: { callId: row.id, status: "expired", text: sentences.expired(name) } };
    case "cancelled":
      return { refused: { callId: row.id, status: "cancelled", text: sentences.cancelled(name) } };
    // `answered` settles a question of a running tool and lets no call run.
    case "answered":
    case "void":
      return planFresh(context, row);
    case "approved":
      return planApproved(context, row, approval);
  }
}

/**
 * Plans an approved call. An approval holds for exactly what was shown: the tool's schema, the arguments and the rule.
 * Drift voids the approval and asks anew with the drift; a call that is denied now is denied.
 */
async function planApproved(context: TurnContext, row: CallRow, approval: ApprovalRow): Promise<Step> {
  const listed = denyListedTool(context, row);
  if (listed) return { refused: listed };
  const prepared = prepare(context, row);
  if (prepared.kind === "failed") return refusePrepared(row, prepared);
  // Without grants, because the call runs on this approval, not on a grant that was made with it.
  const call = await decided({ ...context, policy: { ...context.policy, grants: noGrants } }, row, prepared);
  if (call.decision.verdict === "deny") return refuse(call, sentences.denied(row.name, call.decision.reason));
  const drift: string[] = [];
  const askedUnder = approval.editedDecision ?? approval.decision;
  const { registered } = prepared;
  if (
    argumentsDigest({ toolName: registered.name, arguments: call.arguments, definitionHash: definitionHash(registered) }) !==
    approval.argumentsDigest
  ) {
    drift.push(
      `The tool ${registered.name} changed after it was approved: its name, its description, its hints, its schema or what its schema makes of the arguments.`,
    );
  }
  if (call.decision.verdict === "require_approval" && call.decision.ruleDigest !== askedUnder.ruleDigest) {
    drift.push(`Another or a changed rule asks now: ${call.decision.reason}`);
  }
  if (drift.length > 0) return { barrier: { kind: "ask", call, drift, voided: approval.id } };
  const { editedArguments: run, arguments: asked } = approval;
  return { ready: run ? { ...call, edited: { asked, run } } : call };
}

function prepare(context: TurnContext, row: CallRow): PreparedCall {
  // The seal could not be opened, so the arguments are masked: they may be read but never run.
  if (row.sealedArguments !== null) return { kind: "failed", name: row.name, message: sentences.unreadable(row.name) };
  const call = { name: row.requestedName, carriedBy: row.carriedBy, arguments: row.rawArguments ?? row.arguments };
  return prepareCall(context.scope, call, (tool) => liveTool(context.conversation.workspaceId, tool));
}

async function decided(context: TurnContext, row: CallRow, prepared: Extract<PreparedCall, { kind: "ready" }>): Promise<ReadyCall> {
  const { registered, tool, arguments: args } = prepared;
  const decision = await decideCall(context, registered, args);
  // The wish to run in the background is kept in `jobId` while a call waits for its approval, and in `hooks` once hooks have run.
  return {
    row,
    registered,
    tool,
    arguments: args,
    decision,
    inBackground: prepared.inBackground || row.hooks?.inBackground === true || row.jobId !== null,
  };
}

function refuse(call: ReadyCall, text: string): Step {
  const { row, registered, arguments: args, decision } = call;
  return { refused: { callId: row.id, status: "denied", text, name: registered.name, arguments: args, decision } };
}

function refusePrepared(row: CallRow, { name, message, isInactive }: Extract<PreparedCall, { kind: "failed" }>): Step {
  return { refused: { callId: row.id, status: "failed", text: message, name, ...(isInactive ? { isInactive } : {}) } };
}
