import "server-only";
import { argumentsDigest, definitionHash } from "@/server/approvals/arguments-digest";
import { commentsOf } from "@/server/approvals/comments-of";
import type { ApprovalRow } from "@/server/approvals/settlement";
import { maskedArguments } from "@/server/audit/kept-arguments";
import { noGrants } from "@/server/guard/grants/compiled-grants";
import { log } from "@/server/platform/log";
import { isDatabaseAway } from "@/server/platform/sql-state";
import type { PreparedCall } from "@/server/tools/prepare-call";
import { runBeforeHooks } from "../before-hooks";
import { dependsOnEarlier, type EffectfulCall } from "../call-dependence";
import { completeArguments, IncompleteArguments } from "../complete-arguments";
import { findChangedFiles } from "../contents/call-contents";
import { decideWithContents } from "../decide-call";
import { denyListedTool } from "../deny-listed-tool";
import { whyStopped } from "../loop-guard";
import { type Outcome, sentences, undecidable } from "../outcome";
import type { CallRow } from "../present-turn";
import { rememberLocally, repeatedRefusals, toRefusal, withUnsavedRefusals, writtenRefusals } from "../remember-refusals";
import type { AskedCall, Barrier, Plan, PlannedCall, ReadyCall, Segment } from "../step-data";
import type { TurnContext } from "../turn-context";

type Verdict = { refused: Outcome } | { ready: ReadyCall } | { barrier: Barrier };

/**
 * Step 3 of a turn: decides the planned calls one after the other, up to the first that needs a person, and finds the calls
 * behind it about which people can be asked at once.
 */
export async function decideCalls({ context, calls, callIds }: Plan): Promise<Segment> {
  const segment: Segment = {
    context,
    refused: [],
    answered: [],
    ready: [],
    barrier: null,
    askedTogether: [],
    hooked: [],
    refusals: [],
    forgiven: [],
  };
  for (const [place, planned] of calls.entries()) {
    const { row } = planned;
    if ("dropped" in planned) {
      segment.refused.push(planned.dropped);
      continue;
    }
    const before = row.hooks;
    const { prepared, cached } = await runBeforeHooks(context, row, planned.prepared);
    if (row.hooks !== before) segment.hooked.push(row);
    const written = await writtenRefusals(context);
    // The lines above awaited, so calls that were refused meanwhile must count for this call.
    context.conversation = { ...context.conversation, refusals: withUnsavedRefusals(context.conversation.id, written) };
    const verdict = await decidePlanned(context, { ...planned, prepared }, callIds);
    if ("refused" in verdict) {
      segment.refused.push(verdict.refused);
      const refusal = planned.approval && toRefusal(context, row, verdict.refused, planned.approval);
      if (!refusal) continue;
      // Remembered before the next call is decided, because later calls and other turns are decided with this refusal.
      segment.refusals.push(refusal);
      rememberLocally(context.conversation.id, refusal);
    } else if ("ready" in verdict) {
      if (cached) segment.answered.push({ call: verdict.ready, cached });
      else segment.ready.push(verdict.ready);
      if (row.approvalId) segment.forgiven.push(...repeatedRefusals(verdict.ready.decision));
    } else {
      const { barrier } = verdict;
      const first: EffectfulCall = barrier.kind === "ask" ? barrier.call : { registered: toolOf(prepared), decision: row.decision };
      const { asked, hooked } = await askTogether(context, calls.slice(place + 1), first);
      return { ...segment, barrier, askedTogether: asked, hooked: [...segment.hooked, ...hooked] };
    }
  }
  return segment;
}

const toolOf = (prepared: PreparedCall) => (prepared.kind === "ready" ? prepared.registered : null);

/**
 * Finds calls behind the barrier that ask people whatever the calls before them do. Only the question is early: each is
 * decided again, in order, before it runs. Calls that nobody has to decide stay as they are.
 */
async function askTogether(
  context: TurnContext,
  behind: readonly PlannedCall[],
  barrier: EffectfulCall,
): Promise<{ asked: AskedCall[]; hooked: CallRow[] }> {
  const earlier: EffectfulCall[] = [barrier];
  const asked: AskedCall[] = [];
  const hooked: CallRow[] = [];
  for (const planned of behind) {
    if ("dropped" in planned) continue;
    const { row, approval } = planned;
    // Answered, or still waiting for the answer.
    if (approval && approval.status !== "void" && approval.status !== "answered") {
      earlier.push({ registered: toolOf(planned.prepared), decision: row.decision });
      continue;
    }
    const call = await askedAhead(context, planned, earlier, hooked);
    if (call) asked.push(call);
    earlier.push(call ? call.call : { registered: toolOf(planned.prepared), decision: null });
  }
  return { asked, hooked };
}

async function askedAhead(
  context: TurnContext,
  planned: Decidable,
  earlier: readonly EffectfulCall[],
  hooked: CallRow[],
): Promise<AskedCall | null> {
  const independent = async (call: Decidable): Promise<AskedCall | null> => {
    const verdict = await decidePlanned(context, { ...call, approval: null }, new Set());
    if (!("barrier" in verdict) || verdict.barrier.kind !== "ask") return null;
    return dependsOnEarlier(verdict.barrier.call, earlier) ? null : verdict.barrier;
  };
  const asSent = await independent(planned);
  if (!asSent || context.hooks.before_tool.length === 0) return asSent;
  // Its hooks run now, because people are asked about what the hooks leave.
  const before = planned.row.hooks;
  const { prepared, cached } = await runBeforeHooks(context, planned.row, planned.prepared);
  if (planned.row.hooks !== before) hooked.push(planned.row);
  return cached ? null : independent({ ...planned, prepared });
}

type Decidable = Exclude<PlannedCall, { dropped: Outcome }>;

/** Decides one call. An error refuses the call, because no text of a model may stop a turn. */
async function decidePlanned(context: TurnContext, call: Decidable, callIds: ReadonlySet<string>): Promise<Verdict> {
  try {
    return call.approval
      ? await decideAnswered({ ...context, seenRefusals: callIds }, call, call.approval)
      : await decideFresh(context, call);
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

async function decideAnswered(context: TurnContext, planned: Decidable, approval: ApprovalRow): Promise<Verdict> {
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
      return decideApproved(context, planned, approval);
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
async function decideApproved(context: TurnContext, { row, prepared }: Decidable, approval: ApprovalRow): Promise<Verdict> {
  const listed = denyListedTool(context, row);
  if (listed) return { refused: listed };
  if (prepared.kind === "failed") return refusePrepared(row, prepared);
  // Without grants, because the call runs on this approval, not on a grant that was made with it.
  const call = await decided({ ...context, policy: { ...context.policy, grants: noGrants } }, row, prepared);
  if (call.decision.verdict === "deny") return refuseDenied(call);
  const drift = [...findDrift(call, approval), ...(await findChangedFiles(context, call, approval.contents))];
  if (drift.length > 0) return { barrier: { kind: "ask", call, drift, voided: approval } };
  return { ready: { ...call, contents: approval.contents, comments: await commentsOf(approval) } };
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
