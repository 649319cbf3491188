import "server-only";
import type { GuardedCall } from "@/contracts/agents/coding-agents";
import type { JsonObject } from "@/contracts/common";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import type { Call, Turn } from "@/contracts/turns/turns";
import { approversOf } from "@/server/approvals/comments-of";
import { noteDelivery, releasedArguments } from "@/server/turns/client/submit-client-call";
import { sentences } from "@/server/turns/outcome";

/** The status of a call as its client knows it. */
export const statusWords: Record<Call["status"], GuardedCall["status"]> = {
  pending: "waiting",
  awaiting_approval: "waiting",
  running: "waiting",
  released: "released",
  succeeded: "succeeded",
  failed: "failed",
  denied: "refused",
  rejected: "refused",
  expired: "refused",
  timed_out: "refused",
  cancelled: "cancelled",
  interrupted: "unknown",
};

type Back = {
  /** The arguments that were sent, and how changed ones become the client's own; absent when the client did not send them. */
  sent?: { arguments: JsonObject; toNative: (changed: JsonObject) => JsonObject | null };
  /** The client may ask the person at the keyboard while the question is open. */
  desk?: boolean;
};

/** Says what became of a client's call, and notes that the client is told of its release. */
export async function answerOfCall(turn: Turn, { sent, desk = false }: Back = {}): Promise<GuardedCall> {
  const [call] = turn.calls;
  if (!call) throw new Error(`turn ${turn.id} has no call`);
  const about = {
    id: call.callId,
    conversationId: turn.conversationId,
    turnId: turn.id,
    approvalId: call.approvalId,
    status: statusWords[call.status],
    policyVersion: call.decision?.policyVersion ?? null,
  };
  switch (about.status) {
    case "released":
      return { ...about, ...(await release(turn, call, sent)) };
    case "waiting":
      return { ...about, verdict: desk ? "ask" : "pending", reason: call.decision?.reason ?? "The call is being decided." };
    case "refused":
    case "cancelled":
      return { ...about, verdict: "deny", reason: call.content };
    case "failed":
    case "succeeded":
    case "unknown":
      return { ...about, verdict: "deny", reason: overSentence(call) };
  }
}

/** Says who approved a call and with which words; null for a call that no person approved. */
export async function wordsOfApprovers({ approvalId }: Pick<Call, "approvalId">): Promise<string | null> {
  const approvers = approvalId === null ? [] : await approversOf(approvalId);
  return approvers.length === 0 ? null : sentences.approvedBy(approvers.map(({ actor, comment }) => ({ name: actor.name, comment })));
}

/** A call that never started failed before it was decided, and its result says why. */
const overSentence = ({ startedAt, content, name }: Call): string =>
  startedAt === null
    ? content
    : `Not run again: this call of ${name} was released before, and is over. Send a new call with an id of its own if it is meant once more.`;

async function release(
  turn: Turn,
  call: Call,
  sent: Back["sent"],
): Promise<Pick<GuardedCall, "verdict" | "reason"> & { input?: JsonObject }> {
  // Nobody could change a call that no person and no hook has seen.
  if (call.approvalId === null && !call.hooks) return { verdict: "allow", reason: call.decision?.reason ?? "" };
  const args = await releasedArguments(turn.id);
  if (args === null) return { verdict: "deny", reason: `Not run: ${call.name} was changed meanwhile. Send the call again.` };
  const isChanged = sent !== undefined && canonicalJson(args) !== canonicalJson(sent.arguments);
  const input = isChanged ? sent.toNative(args) : null;
  if (isChanged && input === null) {
    return {
      verdict: "deny",
      reason: `Not run: a person changed this call of ${call.name} in a way that does not fit together. Ask the person what was meant.`,
    };
  }
  await noteDelivery(call.callId);
  const reason = (await wordsOfApprovers(call)) ?? call.decision?.reason ?? "";
  return { verdict: "allow", reason, ...(input ? { input } : {}) };
}
