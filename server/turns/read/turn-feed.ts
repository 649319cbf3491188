import "server-only";
import { eq } from "drizzle-orm";
import { finalCallStatuses } from "@/contracts/calls/call-statuses";
import type { JsonObject } from "@/contracts/common";
import type { TurnEventName } from "@/contracts/turns/turns";
import { turns } from "@/db/schema";
import { eventsAfter, type TurnEvent } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import { onTurnSignal } from "@/server/platform/signals/bus";
import { callProgress, forgetProgress } from "./call-progress";
import { type LoadedTurn, loadTurn } from "./load-turn";
import { isFinished } from "./wait-for-turn";
import { watchTurn } from "./watch-turns";

type Streamed = { id?: string; event: TurnEventName; data: JsonObject };

/** Streams a turn's journal after `lastSeq`, then new events until the turn is finished. Progress lines are streamed but not stored. */
export async function* turnFeed(turnId: string, lastSeq: number, signal: AbortSignal): AsyncGenerator<Streamed> {
  let seq = lastSeq;
  let wake = () => {};
  let isNew = true;
  const off = onTurnSignal(turnId, () => {
    isNew = true;
    wake();
  });
  const unwatch = watchTurn(turnId);
  signal.addEventListener("abort", () => wake(), { once: true });
  const told = new Map<string, string>();
  try {
    while (!signal.aborted) {
      if (!isNew) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      isNew = false;
      const { events, isOver } = await newsOf(turnId, seq);
      for (const event of events) {
        seq = event.seq;
        yield { id: String(event.seq), event: event.event, data: { ...event.data, at: event.createdAt.toISOString() } };
        if (event.event === "turn.finished") return;
      }
      // The client already has the last event, or the turn was deleted with its conversation.
      if (isOver) return;
      for (const [callId, { message }] of callProgress(turnId)) {
        if (told.get(callId) === message) continue;
        told.set(callId, message);
        yield { event: "call.progress", data: { callId, message } };
      }
    }
  } finally {
    off();
    unwatch();
  }
}

/** Whether a turn is finished and the client has every event, so that there is nothing left to stream. */
export async function isFullyStreamed(turnId: string, lastSeq: number): Promise<boolean> {
  const { events, isOver } = await newsOf(turnId, lastSeq);
  return isOver && events.length === 0;
}

type News = { events: Pick<TurnEvent, "seq" | "event" | "data" | "createdAt">[]; isOver: boolean };

/** Reads that began in this tick. A thousand streams that one signal wakes at the same `seq` share one read. */
const looks = () => processWide("turnFeed.looks", () => new Map<string, Promise<News>>());

function newsOf(turnId: string, seq: number): Promise<News> {
  const key = `${turnId} ${seq}`;
  const shared = looks().get(key);
  if (shared) return shared;
  const look = lookFor(turnId, seq);
  looks().set(key, look);
  // A stream that is woken in a later tick may need a newer event, so the read is shared for this tick only.
  setImmediate(() => looks().delete(key));
  return look;
}

/** Reads the turn before its events, so that an end in between costs one more round and no event is missed. */
async function lookFor(turnId: string, seq: number): Promise<News> {
  const [turn] = await db().select({ status: turns.status, eventCount: turns.eventCount }).from(turns).where(eq(turns.id, turnId));
  const isOver = !turn || isFinished(turn);
  if (isOver) forgetProgress(turnId);
  if (!turn || turn.eventCount > 0) return { events: await eventsAfter(turnId, seq), isOver };
  const loaded = isOver ? await loadTurn(turnId) : undefined;
  return { events: loaded ? journalOf(loaded).filter((event) => event.seq > seq) : [], isOver };
}

/** Derives the events of a turn from its rows, for a turn that finished before its journal was stored. */
function journalOf({ turn, calls }: LoadedTurn) {
  const { id: turnId, conversationId, status } = turn;
  const happened: { at: Date; event: TurnEventName; data: JsonObject }[] = [];
  for (const { id: callId, runtimeId: id, name, startedAt } of calls) {
    if (startedAt) happened.push({ at: startedAt, event: "call.started", data: { callId, id, name } });
  }
  for (const { id: callId, runtimeId: id, name, status, durationMs, finishedAt } of calls) {
    if (finishedAt && (finalCallStatuses as readonly string[]).includes(status)) {
      happened.push({ at: finishedAt, event: "call.finished", data: { callId, id, name, status, durationMs } });
    }
  }
  happened.sort((a, b) => a.at.getTime() - b.at.getTime());
  const all: typeof happened = [
    { at: turn.createdAt, event: "turn.started", data: { turnId, conversationId, calls: calls.length } },
    ...happened,
    { at: turn.finishedAt ?? turn.updatedAt, event: "turn.finished", data: { turnId, status } },
  ];
  return all.map(({ at, event, data }, place) => ({ seq: place + 1, event, data, createdAt: at }));
}
