import "server-only";
import { and, eq, isNull } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { CallMachine } from "@/contracts/tools/machine";
import type { Turn } from "@/contracts/turns/turns";
import { toolCalls } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import type { ConversationRow } from "@/server/conversations/find-conversation";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { newId } from "@/server/platform/ids";
import { findKeyedTurn } from "../keyed-turns";
import { storedTurn } from "../live-turn";
import { loadTurn, readTurn } from "../read/load-turn";
import { waitForTurn } from "../read/wait-for-turn";
import { answerOf, beginTurn } from "../submit-turn";
import { DuplicateSubmission } from "../turn-run";
import { findEarlierCall } from "./find-earlier";

/** A call that a client wants to run on its own machine. */
export type ClientCall = {
  conversation: ConversationRow;
  machine: CallMachine;
  /** The client's id of the call; null when the client has none. */
  id: string | null;
  /** Name of the tool in the client. */
  requestedName: string;
  /** Name and arguments under which the call is judged, recorded and shown. */
  name: string;
  arguments: JsonObject;
};

/** Seconds within which a call is decided, unless people have to be asked. */
const decidedWithin = 20;

/** Returns the digest by which two calls of one conversation are the same. */
export const digestOfClientCall = ({ name, arguments: args }: Pick<ClientCall, "name" | "arguments">): string =>
  sha256(canonicalJson({ client: true, name, arguments: args }));

/**
 * Asks whether a client may run a call. The call is an ordinary one in the client's conversation, except that it is released
 * to the client in place of being run.
 * @returns the turn of the call when it was decided, or a person was asked
 * @throws AppError `idempotency_mismatch`, `too_many_requests`
 */
export async function submitClientCall(actor: Authorized<"guard:ask">, call: ClientCall, signal: AbortSignal): Promise<Turn> {
  const { conversation, machine, id, requestedName, name, arguments: args } = call;
  const conversationId = conversation.id;
  const digest = digestOfClientCall(call);
  const earlier = await findEarlierCall({ conversationId, id, digest });
  if (earlier) return readTurn(earlier);
  const keyed = { conversationId, idempotencyKey: id ?? newId(), requestDigest: digest };
  const draft = {
    calls: [{ id: keyed.idempotencyKey, name: requestedName, arguments: args }],
    wait: decidedWithin,
    afterUserMessage: false,
  };
  // No `await` from here until the turn is registered: two identical submissions must not both start.
  const task = findKeyedTurn(keyed) ?? beginTurn({ actor, conversation, draft, keyed, machine, judgedAs: name, traceparent: null });
  try {
    return await answerOf(task, decidedWithin, signal);
  } catch (error) {
    // Another replica stored a turn under the same id first.
    const faster = error instanceof DuplicateSubmission ? await findEarlierCall({ conversationId, id, digest }) : null;
    if (!faster) throw error;
    return readTurn(faster);
  }
}

/** Returns whether a client's call was decided: released, refused, or over. */
export const isDecided = ({ calls }: Turn): boolean =>
  calls.every(({ status }) => status !== "pending" && status !== "awaiting_approval" && status !== "running");

/**
 * Waits until people have decided a client's call.
 * @param seconds `Infinity` waits without a timer, until the approval expires
 */
export async function waitForDecision(turn: Turn, seconds: number, signal: AbortSignal): Promise<Turn> {
  return isDecided(turn) || seconds === 0 ? turn : waitForTurn(turn.id, seconds, signal, isDecided);
}

/** Notes that the client is told of its release, after which no other call takes the approval over. */
export async function noteDelivery(callId: string): Promise<void> {
  await db()
    .update(toolCalls)
    .set({ deliveredAt: sharedNow() })
    .where(and(eq(toolCalls.id, callId), isNull(toolCalls.deliveredAt)));
}

/**
 * Returns the arguments with which a released call may run, secrets included, as a person or a hook left them.
 * @returns null when the call is not released, or its arguments cannot be opened
 */
export async function releasedArguments(turnId: string): Promise<JsonObject | null> {
  const loaded = await loadTurn(turnId);
  const [call] = loaded ? storedTurn(loaded.turn, loaded.calls).calls : [];
  return call?.status === "released" && call.sealedArguments === null ? call.arguments : null;
}
