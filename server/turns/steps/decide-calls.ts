import "server-only";
import type { PreparedCall } from "@/server/tools/prepare-call";
import { dependsOnEarlier, type EffectfulCall } from "../decide/call-dependence";
import { type Decidable, decidePlanned, type Earlier } from "../decide/decide-planned";
import { rememberLocally, repeatedRefusals, toRefusal, withUnsavedRefusals, writtenRefusals } from "../decide/remember-refusals";
import { runBeforeHooks } from "../hooks/before-hooks";
import type { AskedCall, Plan, PlannedCall, ReadyCall, Segment } from "../step-data";
import type { TurnContext } from "../turn-context";

/**
 * Step 3 of a turn: decides the planned calls one after the other, up to the first that needs a person, and finds the calls
 * behind it about which people can be asked at once.
 */
export async function decideCalls({ context, calls, rows }: Plan): Promise<Segment> {
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
    const earlier = { all: rows.filter(({ position }) => position < row.position), next: segment.ready };
    const verdict = await decidePlanned(context, { ...planned, prepared }, earlier);
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
): Promise<Pick<Segment, "hooked"> & { asked: AskedCall[] }> {
  const earlier: EffectfulCall[] = [barrier];
  const asked: AskedCall[] = [];
  const hooked: Segment["hooked"] = [];
  for (const planned of behind) {
    if ("dropped" in planned) continue;
    const { row, approval, prepared } = planned;
    // Answered, or still waiting for the answer.
    if (approval && approval.status !== "void" && approval.status !== "answered") {
      earlier.push({ registered: toolOf(prepared), decision: row.decision });
      continue;
    }
    const { call, question } = await decideAhead(context, planned, earlier, hooked);
    if (question) asked.push(question);
    // The changes of a call follow from its arguments, unless it runs code, which may change anything.
    earlier.push(call ?? { registered: toolOf(prepared), decision: null });
  }
  return { asked, hooked };
}

type Ahead = {
  /** Null when nothing can be said of it before its turn. */
  call: ReadyCall | null;
  /** The question about it; null when nobody has to be asked, or when earlier calls may change that. */
  question: AskedCall | null;
};

/** Decides a call before its turn. */
async function decideAhead(
  context: TurnContext,
  planned: Decidable,
  earlier: readonly EffectfulCall[],
  hooked: Segment["hooked"],
): Promise<Ahead> {
  const look = async (call: Decidable): Promise<Ahead> => {
    const verdict = await decidePlanned(context, call, nothingEarlier);
    if ("ready" in verdict) return { call: verdict.ready, question: null };
    if (!("barrier" in verdict) || verdict.barrier.kind !== "ask") return unknown;
    const question = verdict.barrier;
    return { call: question.call, question: dependsOnEarlier(question.call, earlier) ? null : question };
  };
  const asSent = await look(planned);
  if (context.hooks.before_tool.length === 0) return asSent;
  // A hook may give a call other arguments when its turn comes.
  if (!asSent.question) return unknown;
  // Its hooks run now, because people are asked about what the hooks leave.
  const before = planned.row.hooks;
  const { prepared, cached } = await runBeforeHooks(context, planned.row, planned.prepared);
  if (planned.row.hooks !== before) hooked.push(planned.row);
  return cached ? unknown : look({ ...planned, prepared });
}

const unknown: Ahead = { call: null, question: null };
const nothingEarlier: Earlier = { all: [], next: [] };
