import "server-only";
import type { Turn, TurnDraft } from "@/contracts/turns/turns";
import type { Authorized } from "@/server/auth/actor";
import { assertReachableAddress } from "@/server/capabilities/callbacks/assert-reachable-address";
import { type ConversationRow, deletedMeanwhile, findConversation } from "@/server/conversations/find-conversation";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { TurnTask } from "./active-turns";
import { forgetFailures } from "./decide/count-failures";
import { deliverJobs } from "./deliver-jobs";
import { earlierTurn, findKeyedTurn, registerKeyed } from "./keyed-turns";
import type { LiveTurn } from "./live-turn";
import { readTurn } from "./read/load-turn";
import { presentTurn } from "./read/present-turn";
import { isFinished, restsWithin, waitForTurn } from "./read/wait-for-turn";
import { runTurn } from "./run-turn";
import { type Admission, admitTurn } from "./steps/admit-turn";
import { DuplicateSubmission } from "./turn-run";

/** Time beyond `wait` that a submission waits for its turn to be stored; the database answers or fails by then. */
const storedWithinMs = 20_000;

type Submission = {
  conversationId: string;
  draft: TurnDraft;
  idempotencyKey: string | null;
  signal: AbortSignal;
  /** W3C Trace Context of the request, for the servers that its calls reach. */
  traceparent?: string | null;
  /** Name of the tool whose app (MCP Apps) makes the calls. */
  appOf?: string;
};

/**
 * Submits the calls of one model reply and starts them. Once this has returned, the turn is never lost: this process
 * runs the turn, and another replica recovers it when the process dies.
 * @returns the turn when it finished or was suspended within `wait` seconds, else as it stands then.
 * @throws AppError `not_found`, `idempotency_mismatch`, `too_many_requests`.
 */
export async function submitTurn(
  actor: Authorized<"turns:write">,
  { conversationId, draft, idempotencyKey, signal, traceparent = null, appOf }: Submission,
): Promise<Turn> {
  const found = await findConversation(actor, conversationId);
  if (draft.callbackUrl) assertReachableAddress(draft.callbackUrl, "callbackUrl");
  const keyed = idempotencyKey ? { conversationId, idempotencyKey, requestDigest: requestDigestOf(draft) } : null;
  const earlier = keyed && (await earlierTurn(keyed));
  if (earlier) return answerEarlier(earlier, draft.wait, signal);
  const conversation = draft.afterUserMessage || actor.type === "user" ? await forgetFailures(found) : found;
  // No `await` from here until the turn is registered: two identical submissions must not both start.
  const twin = keyed && findKeyedTurn(keyed);
  const task = twin ?? beginTurn({ actor, conversation, draft, keyed, traceparent, ...(appOf ? { appOf } : {}) });
  try {
    return await withFinishedJobs(conversation, await answerOf(task, draft.wait, signal));
  } catch (error) {
    if (!(error instanceof DuplicateSubmission)) throw error;
    // Another replica stored a turn under the same key first.
    const faster = keyed && (await earlierTurn(keyed));
    if (!faster) throw deletedMeanwhile();
    return answerEarlier(faster, draft.wait, signal);
  }
}

/** Computes the digest by which two submissions are the same: calls and `callbackUrl`, but not `wait`. */
function requestDigestOf({ calls, callbackUrl }: TurnDraft): string {
  return sha256(canonicalJson(callbackUrl ? { calls, callbackUrl } : calls));
}

/** Starts a new turn. @throws AppError `too_many_requests`. */
export function beginTurn(admission: Admission): TurnTask {
  const { live, leave } = admitTurn(admission);
  const task = runTurn(live, { holdBack: admission.draft.wait * 1_000 });
  if (admission.keyed) registerKeyed(admission.keyed, task);
  task.rested.then(leave, leave);
  return task;
}

/** Returns the turn when it rests within `wait` seconds, else as the database has it then. */
export async function answerOf({ live, rested, known }: TurnTask, wait: number, signal: AbortSignal): Promise<Turn> {
  const isAtRest = await restsWithin(rested, wait, signal);
  if (!isAtRest) await storedInTime(known);
  return isAtRest && restedLocally(live) ? presentTurn(live.turn, live.calls) : readTurn(live.turn.id);
}

/** Waits until the turn is stored, even when its client left or this process stops. @throws AppError `unavailable` */
async function storedInTime(known: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const sentence =
    "The database did not store the turn in time, and may still do so. Send it again with the same Idempotency-Key; without one, look at the conversation's turns first.";
  const timer = setTimeout(() => reject(new AppError("unavailable", sentence, { retryAfterSeconds: 1 })), storedWithinMs);
  try {
    await Promise.race([known, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the turn came to rest in this process and not on another replica. */
function restedLocally({ turn, stored }: LiveTurn): boolean {
  return turn.status !== "running" && stored?.status === turn.status;
}

/** Adds the background jobs that finished since the previous turn. */
async function withFinishedJobs(conversation: ConversationRow, turn: Turn): Promise<Turn> {
  if (!conversation.hasJobs) return turn;
  // The turn is stored and its client must hear so; jobs that are not delivered now come with the next turn.
  const finishedJobs = await deliverJobs(conversation.id, turn.id).catch((error) => {
    log().warn({ err: error, turnId: turn.id }, "finished jobs could not be told with a turn");
    return [];
  });
  return finishedJobs.length > 0 ? { ...turn, finishedJobs } : turn;
}

/** Returns 200 for a finished turn, otherwise 202 with the address to poll. */
export function toTurnStatus(turn: Turn): { status: number; headers?: Record<string, string> } {
  return isFinished(turn) ? { status: 200 } : { status: 202, headers: { location: `/api/v1/turns/${turn.id}` } };
}

async function answerEarlier(turnId: string, wait: number, signal: AbortSignal): Promise<Turn> {
  const turn = await readTurn(turnId);
  return turn.status !== "running" || wait === 0 ? turn : waitForTurn(turnId, wait, signal);
}
