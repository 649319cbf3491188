import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decision";
import { maxCallsPerTurn } from "@/contracts/turns";
import type { Refusal } from "@/db/schema";
import { argumentsDigest } from "@/server/approvals/arguments-digest";
import { readApproval } from "@/server/approvals/read-approval";
import type { ApprovalRow } from "@/server/approvals/settle-approval";
import { decide } from "@/server/guard/decide";
import { noGrants } from "@/server/guard/grants/compiled-grants";
import { messageOf } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { RegisteredTool } from "@/server/tools/catalog";
import type { AnyTool } from "@/server/tools/define-tool";
import { liveTool } from "@/server/tools/live-tools";
import { type PreparedCall, prepareCall } from "@/server/tools/prepare-call";
import { callContextOf } from "./call-context";
import { denyListed } from "./deny-listed";
import { answerFrom, hookCall, type KeptResult } from "./hooked-call";
import { whyStopped } from "./loop-guard";
import { forgivenBy, refusalOf, withMore } from "./note-refusals";
import { type Outcome, sentences } from "./outcome";
import type { CallRow } from "./present-turn";
import type { TurnContext } from "./turn-context";

/** A call that may start: the same arguments that were decided on are run and recorded. */
export type ReadyCall = {
  row: CallRow;
  registered: RegisteredTool;
  tool: AnyTool;
  arguments: JsonObject;
  decision: Decision;
  /** Becomes a background job. */
  inBackground: boolean;
};

/** The call at which the turn stops until a person has answered. */
export type Barrier =
  | { kind: "waiting"; row: CallRow; approvalId: string }
  | { kind: "ask"; call: ReadyCall; drift: string[]; voided: string | null };

/** The calls up to the first that has to wait: refused ones, those that may run, and where the turn stops. */
export type Segment = {
  refused: Outcome[];
  /** Those that may run and need not: a hook has kept what they would answer. */
  answered: { call: ReadyCall; outcome: Outcome }[];
  ready: ReadyCall[];
  barrier: Barrier | null;
  /** Rows in which hooks have left something. */
  hooked: CallRow[];
  /** What the conversation remembers of the refused ones. */
  refusals: Refusal[];
  /** Refused calls that a person approved another way to. */
  forgiven: string[];
};

type Step = { refused: Outcome } | { ready: ReadyCall } | { answered: ReadyCall; kept: KeptResult } | { barrier: Barrier };

/**
 * Decides the open calls of a turn one after the other, in their order, up to the first that needs a person.
 * @param answers those that were read with the calls; others are looked up
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
    const step = planCall(context, row, answer, kept);
    if ("refused" in step) {
      segment.refused.push(step.refused);
      const refusal = refusalOf(context, row, step.refused);
      if (!refusal) continue;
      segment.refusals.push(refusal);
      // The calls behind it are looked at with it.
      context.conversation = { ...context.conversation, refusals: withMore(context.conversation.refusals, [refusal]) };
    } else if ("answered" in step)
      segment.answered.push({ call: step.answered, outcome: await answerFrom(context, step.answered, step.kept) });
    else if ("ready" in step) {
      segment.ready.push(step.ready);
      const forgiven = row.approvalId ? forgivenBy(step.ready.decision) : null;
      if (forgiven) segment.forgiven.push(forgiven);
    } else return { ...segment, barrier: step.barrier };
  }
  return segment;
}

/** Whatever goes wrong while a call is looked at, it is refused and the turn goes on: no text of a model stops a turn. */
function planCall(context: TurnContext, row: CallRow, approval: ApprovalRow | undefined, kept: KeptResult | null): Step {
  try {
    return approval ? planAnswered(context, row, approval) : planFresh(context, row, kept);
  } catch (error) {
    log().warn({ err: error, callId: row.id }, "a call could not be decided");
    return {
      refused: { callId: row.id, status: "denied", text: sentences.denied(row.name, `It could not be evaluated: ${messageOf(error)}`) },
    };
  }
}

function planFresh(context: TurnContext, row: CallRow, kept: KeptResult | null = null): Step {
  const listed = denyListed(context, row);
  if (listed) return { refused: listed };
  const prepared = prepare(context, row);
  const refusal = row.hooks?.refusal;
  if (prepared.kind === "failed") {
    return refusal ? { refused: { callId: row.id, status: "denied", text: refusal, name: prepared.name } } : refusePrepared(row, prepared);
  }
  const call = decided(context, row, prepared);
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

function planAnswered(context: TurnContext, row: CallRow, approval: ApprovalRow): Step {
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
    case "void":
      return planFresh(context, row);
    case "approved":
      return planApproved(context, row, approval);
  }
}

/**
 * An approval holds for exactly what was shown: the tool with that schema, those arguments, asked by that rule. What has
 * changed since makes it void and the call is asked anew, with what drifted; what is denied today is denied.
 */
function planApproved(context: TurnContext, row: CallRow, approval: ApprovalRow): Step {
  const listed = denyListed(context, row);
  if (listed) return { refused: listed };
  const prepared = prepare(context, row);
  if (prepared.kind === "failed") return refusePrepared(row, prepared);
  // It runs because of this answer, and not because of a grant that was made with it.
  const call = decided({ ...context, policy: { ...context.policy, grants: noGrants } }, row, prepared);
  if (call.decision.verdict === "deny") return refuse(call, sentences.denied(row.name, call.decision.reason));
  const drift: string[] = [];
  const { registered } = prepared;
  if (
    argumentsDigest({ toolName: registered.name, arguments: call.arguments, schemaHash: registered.schemaHash }) !==
    approval.argumentsDigest
  ) {
    drift.push(
      `The tool ${registered.name} changed after it was approved: its name, its schema or what its schema makes of the arguments.`,
    );
  }
  if (call.decision.verdict === "require_approval" && call.decision.ruleDigest !== approval.decision.ruleDigest) {
    drift.push(`Another or a changed rule asks now: ${call.decision.reason}`);
  }
  if (drift.length > 0) return { barrier: { kind: "ask", call, drift, voided: approval.id } };
  return { ready: call };
}

function prepare(context: TurnContext, row: CallRow): PreparedCall {
  // What is masked is to be read, and never run.
  if (row.sealedArguments !== null) return { kind: "failed", name: row.name, message: sentences.unreadable(row.name) };
  const call = { name: row.requestedName, arguments: row.rawArguments ?? row.arguments };
  return prepareCall(context.scope, call, (tool) => liveTool(context.conversation.workspaceId, tool));
}

function decided(context: TurnContext, row: CallRow, prepared: Extract<PreparedCall, { kind: "ready" }>): ReadyCall {
  const { registered, tool, arguments: args } = prepared;
  const decision = decide(context.policy, {
    tool: registered,
    arguments: args,
    context: callContextOf(context),
  });
  // A call that waited for its approval has its job's id already; one that hooks looked at has left the wish with them.
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
