import type { JournalEvent } from "@/components/nouns/turns/journal-event";
import type { ActorRef } from "@/contracts/common";

/** Calls that ran without waiting for a person in between. */
export type JournalSegment = {
  kind: "segment";
  /** Start of the first call, or its end if it never ran; null before the first call starts. */
  from: string | null;
  /** End of the last call; null while a call runs. */
  until: string | null;
  /** Ids of the calls in the order of the turn; the calls of one group ran in parallel. */
  groups: string[][];
};

/** A pause in which the turn waited for a person. */
export type Wait = {
  kind: "wait";
  approvalId: string;
  callId: string;
  from: string;
  /** Null until somebody answers. */
  until: string | null;
  answer: { status: string; by: ActorRef | null; comment: string } | null;
};

/** The takeover of a turn by another replica after its replica died. */
export type Recovery = {
  kind: "recovery";
  at: string;
  /** Time of the last event before the takeover. */
  lastSeen: string | null;
  /** Calls that were started again, and calls that ended because their outcome is unknown. */
  again: string[];
  interrupted: string[];
};

export type Chapter = JournalSegment | Wait | Recovery;

type Known = {
  /** Ids of all calls of the turn, in order. */
  callIds: readonly string[];
  /** Ids of calls whose tools never run in parallel, even if their times overlap. */
  alone: ReadonlySet<string>;
};

/**
 * Converts the journal of a turn into segments, waits and recoveries, in order. Each call belongs to exactly one
 * segment: the segment of its last start, or of its end when it never started. Calls that have not begun belong to the
 * last segment.
 */
export function toSegments(events: readonly JournalEvent[], { callIds, alone }: Known): Chapter[] {
  const places = placesOf(events);
  const chapters: Chapter[] = [];
  let segment: JournalSegment | null = null;
  /** Running calls of the current group. */
  const running = new Set<string>();
  const waits = new Map<string, Wait>();
  let lastSeen: string | null = null;

  const open = (at: string): JournalSegment => {
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
        // A question does not suspend the turn: the tool goes on running, and the call shows the question.
        if (event.kind === "question") break;
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
        chapters.push({ kind: "recovery", at: event.at, lastSeen, again: event.again, interrupted: event.interrupted ?? [] });
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

/** Returns, for each call, the number of the event that places it: its last start, or its end when it never started. */
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

function completed(segment: JournalSegment, events: readonly JournalEvent[], callIds: readonly string[]): JournalSegment {
  const place = new Map(callIds.map((id, index) => [id, index]));
  const placeOf = (id: string | undefined) => place.get(id ?? "") ?? 0;
  // Restores the order of the turn: calls start in that order, but refused calls end before any other call starts.
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
