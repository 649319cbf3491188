import "server-only";
import { eventsAfter, type TurnEvent } from "@/server/conversations/turn-events";
import { signalFeed } from "@/server/platform/signal-feed";
import { callProgress } from "./call-progress";

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
    for (const event of await eventsAfter(turnId, seq)) {
      seq = event.seq;
      yield streamed(event);
      if (event.event === "turn.finished") return;
    }
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
