import { isJsonObject } from "@/components/kit/api/read-json";
import { actorTypes } from "@/contracts/browser/common";
import { type TurnEventName, turnStatuses } from "@/contracts/browser/turns/turns";
import { callStatuses } from "@/contracts/calls/call-statuses";
import type { ActorRef, JsonObject } from "@/contracts/common";

/** An event of a turn's journal as the API sends it: number, name, and data with the time (ISO). */
export type RawJournalEvent = { seq: number; name: TurnEventName; data: JsonObject };

type Check<T> = (value: unknown) => value is T;
const isText: Check<string> = (value) => typeof value === "string";
const isNumber: Check<number> = (value) => typeof value === "number";
const isTime: Check<string> = (value): value is string => isText(value) && !Number.isNaN(Date.parse(value));
const isTexts: Check<string[]> = (value): value is string[] => Array.isArray(value) && value.every(isText);
const isActor: Check<ActorRef> = (value): value is ActorRef =>
  isJsonObject(value) && actorTypes.some((type) => type === value.type) && isText(value.id) && isText(value.name);
const isOneOf =
  <T extends string>(words: readonly T[]): Check<T> =>
  (value): value is T =>
    words.some((word) => word === value);
const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);

type Fields = Record<string, Check<unknown>>;
type Checked<F extends Fields> = { [Name in keyof F]: F[Name] extends Check<infer T> ? T : never };

const shape = <Required extends Fields, Optional extends Fields = Record<never, Check<unknown>>>(
  required: Required,
  optional: Optional = {} as Optional,
) => ({
  required: { at: isTime, ...required },
  optional,
});
const callId = isText;

const shapes = {
  "turn.started": shape({}),
  "call.started": shape({ callId, name: isText }),
  "call.released": shape({ callId, name: isText }),
  // A message or a question of a stateful tool.
  "call.step": shape({ callId }, { say: isText, ask: isText, question: isNumber, options: isTexts }),
  "call.answered": shape({ callId, question: isNumber, text: isText }, { by: isActor }),
  "call.promoted": shape({ callId }),
  "call.direct_result": shape({ callId }),
  "call.finished": shape({ callId, name: isText, status: isOneOf(callStatuses) }),
  "approval.requested": shape({ callId, approvalId: isText }, { kind: isText }),
  "approval.decided": shape({ callId, approvalId: isText, status: isText }, { by: orNull(isActor), comment: orNull(isText) }),
  "turn.suspended": shape({ approvalId: isText }),
  "turn.resumed": shape({}),
  "turn.recovered": shape({ formerOwner: orNull(isText), again: isTexts }, { interrupted: isTexts }),
  "turn.finished": shape({ status: isOneOf(turnStatuses) }),
};

type Shapes = typeof shapes;
export type JournalEvent = {
  [Name in keyof Shapes]: { name: Name; seq: number } & Checked<Shapes[Name]["required"]> & Partial<Checked<Shapes[Name]["optional"]>>;
}[keyof Shapes];

/** Parses journal events in order; skips events that a newer server adds. */
export function readJournal(events: readonly RawJournalEvent[]): JournalEvent[] {
  return events.flatMap(({ seq, name, data }) => {
    if (!(name in shapes)) return [];
    const { required, optional }: { required: Fields; optional: Fields } = shapes[name as keyof Shapes];
    const isRead =
      Object.entries(required).every(([field, check]) => check(data[field])) &&
      Object.entries(optional).every(([field, check]) => data[field] === undefined || check(data[field]));
    return isRead ? [{ ...data, name, seq } as unknown as JournalEvent] : [];
  });
}

/** Returns whether a running tool waits for the answer to its question. */
export function hasOpenQuestion(events: readonly JournalEvent[]): boolean {
  const decided = new Set(events.flatMap((event) => (event.name === "approval.decided" ? [event.approvalId] : [])));
  return events.some((event) => event.name === "approval.requested" && event.kind === "question" && !decided.has(event.approvalId));
}
