import "server-only";
import { eq } from "drizzle-orm";
import { turns } from "@/db/schema";
import { eventsAfter, type TurnEvent } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database";
import { signalFeed } from "@/server/platform/signal-feed";
import { callProgress } from "./call-progress";
import { isFinished } from "./wait-for-turn";

const pollMs = 1_000;

/**
 * A turn's journal after a number, then its new events as they come, until it is finished. Progress lines are told as
 * they happen and not kept.
 */
export async function* turnFeed(turnId: string, lastSeq: number, signal: AbortSignal) {
  const feed = signalFeed("turn", { signal, idleMs: pollMs, filter: (received) => received.turnId === turnId });
  let seq = lastSeq;
  const told = new Map<string, string>();
  const iterator = feed[Symbol.asyncIterator]();
  do {
    const isOver = await hasEnded(turnId);
    for (const event of await eventsAfter(turnId, seq)) {
      seq = event.seq;
      yield streamed(event);
      if (event.event === "turn.finished") return;
    }
    // The last event was told before (a client that resumes behind it), or the turn is gone with its conversation.
    if (isOver) return;
    for (const [callId, message] of callProgress(turnId)) {
      if (told.get(callId) === message) continue;
      told.set(callId, message);
      yield { event: "call.progress", data: { callId, message } };
    }
  } while (!(await iterator.next()).done);
}

function streamed({ seq, event, data, createdAt }: TurnEvent) {
  return { id: String(seq), event, data: { ...data, at: createdAt.toISOString() } };
}

/** A finished turn of which a client has seen everything: there is nothing to stream, now or later. */
export async function nothingLeft(turnId: string, lastSeq: number): Promise<boolean> {
  return (await hasEnded(turnId)) && (await eventsAfter(turnId, lastSeq)).length === 0;
}

/** Looked at before the events are, so that an end in between costs one more round and not its last event. */
async function hasEnded(turnId: string): Promise<boolean> {
  const [turn] = await db().select({ status: turns.status }).from(turns).where(eq(turns.id, turnId));
  return !turn || isFinished(turn);
}
