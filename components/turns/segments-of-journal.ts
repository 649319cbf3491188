import type { ActorRef } from "@/contracts/common";
import type { JournalEvent } from "./journal-event";

/** Calls that ran without anybody being asked in between. */
export type Segment = {
  kind: "segment";
  /** When its first call started, or ended without having run. Null for what has not started yet. */
  from: string | null;
  /** When its last call ended; null while one runs. */
  until: string | null;
  /** Ids of its calls in the order of the turn; those in one group ran side by side. */
  groups: string[][];
};

/** The turn rested on a question, and nobody worked on it. */
export type Wait = {
  kind: "wait";
  approvalId: string;
  callId: string;
  from: string;
  /** Null while nobody has answered. */
  until: string | null;
  answer: { status: string; by: ActorRef | null; comment: string } | null;
};

/** The replica that worked on the turn was gone, and another one took over. */
export type Recovery = {
  kind: "recovery";
  at: string;
  /** The last sign of life before it. */
  lastSeen: string | null;
  /** Calls that started again, and those that ended because nobody knows what they did. */
  again: string[];
  interrupted: string[];
};

export type Chapter = Segment | Wait | Recovery;

type Known = {
  /** All calls of the turn, in order. */
  callIds: readonly string[];
  /** Calls of tools that never run beside others, whatever the times look like. */
  alone: ReadonlySet<string>;
};

/**
 * What happened in a turn, in order: what ran together, where it waited for a person, where a replica died. Every call of
 * the turn stands in exactly one segment: where it started last, or ended when it never started; what has not begun is in
 * the last one.
 */
export function segmentsOfJournal(events: readonly JournalEvent[], { callIds, alone }: Known): Chapter[] {
  const places = placesOf(events);
  const chapters: Chapter[] = [];
  let segment: Segment | null = null;
  /** Calls that run now, of the group that is being made. */
  const running = new Set<string>();
  const waits = new Map<string, Wait>();
  let lastSeen: string | null = null;

  const open = (at: string): Segment => {
    if (segment) return segment;
    segment = { kind: "segment", from: at, until: null, groups: [] };
    chapters.push(segment);
    return segment;
  };
  const close = () => {
    segment = null;
    running.clear();
  };

  for (const event of events) {
    switch (event.name) {
      case "call.started": {
        if (places.get(event.callId) !== event.seq) break;
        const { groups } = open(event.at);
        const last = groups.at(-1);
        const isBeside = running.size > 0 && !alone.has(event.callId) && ![...running].some((id) => alone.has(id));
        if (last && isBeside) last.push(event.callId);
        else groups.push([event.callId]);
        running.add(event.callId);
        break;
      }
      case "call.finished": {
        running.delete(event.callId);
        if (places.get(event.callId) === event.seq) open(event.at).groups.push([event.callId]);
        break;
      }
      case "approval.requested": {
        close();
        const { approvalId, callId, at } = event;
        const wait: Wait = { kind: "wait", approvalId, callId, from: at, until: null, answer: null };
        waits.set(approvalId, wait);
        chapters.push(wait);
        break;
      }
      case "approval.decided": {
        const wait = waits.get(event.approvalId);
        if (!wait) break;
        wait.until = event.at;
        wait.answer = { status: event.status, by: event.by ?? null, comment: event.comment ?? "" };
        break;
      }
      case "turn.recovered":
        close();
        chapters.push({ kind: "recovery", at: event.at, lastSeen, again: event.again, interrupted: event.interrupted });
        break;
    }
    lastSeen = event.at;
  }

  const notBegun = callIds.filter((id) => !places.has(id));
  if (notBegun.length > 0) {
    const last = chapters.at(-1);
    const tail = last?.kind === "segment" ? last : { kind: "segment" as const, from: null, until: null, groups: [] };
    tail.groups.push(...notBegun.map((id) => [id]));
    if (tail !== last) chapters.push(tail);
  }
  return chapters.map((chapter) => (chapter.kind === "segment" ? completed(chapter, events, callIds) : chapter));
}

/** For each call the number of the event that says where it stands: its last start, or its end when it never started. */
function placesOf(events: readonly JournalEvent[]): Map<string, number> {
  const places = new Map<string, number>();
  const started = new Set<string>();
  for (const event of events) {
    if (event.name === "call.started") {
      places.set(event.callId, event.seq);
      started.add(event.callId);
    } else if (event.name === "call.finished" && !started.has(event.callId)) places.set(event.callId, event.seq);
  }
  return places;
}

function completed(segment: Segment, events: readonly JournalEvent[], callIds: readonly string[]): Segment {
  const place = new Map(callIds.map((id, index) => [id, index]));
  const placeOf = (id: string | undefined) => place.get(id ?? "") ?? 0;
  // Calls start in the order of the turn; what is refused is refused before any of them starts, and goes back to its place.
  const groups = segment.groups
    .map((group) => group.toSorted((a, b) => placeOf(a) - placeOf(b)))
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  const ends = groups.flat().map((id) => endOf(events, id));
  const isOver = !ends.includes(null);
  return { ...segment, groups, until: isOver ? (ends.toSorted().at(-1) ?? null) : null };
}

function endOf(events: readonly JournalEvent[], callId: string): string | null {
  for (const event of events) if (event.name === "call.finished" && event.callId === callId) return event.at;
  return null;
}
