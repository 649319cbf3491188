import { z } from "zod";
import { ActorRef, type JsonObject } from "@/contracts/common";
import { callStatuses, type TurnEventName, turnStatuses } from "@/contracts/turns";

/** An event of a turn's journal as it comes over the line: its number, when it happened (ISO), and what it says. */
export type RawJournalEvent = { seq: number; name: TurnEventName; data: JsonObject };

const at = z.iso.datetime();
const callId = z.string();

const shapes = {
  "turn.started": z.object({ at }),
  "call.started": z.object({ at, callId, name: z.string() }),
  // A line of a tool that works in steps, or a question of it.
  "call.step": z.object({
    at,
    callId,
    say: z.string().optional(),
    ask: z.string().optional(),
    question: z.number().optional(),
    options: z.array(z.string()).optional(),
  }),
  "call.answered": z.object({ at, callId, question: z.number(), text: z.string(), by: ActorRef.optional() }),
  "call.promoted": z.object({ at, callId }),
  "call.direct_result": z.object({ at, callId }),
  "call.finished": z.object({ at, callId, name: z.string(), status: z.enum(callStatuses) }),
  "approval.requested": z.object({ at, callId, approvalId: z.string() }),
  "approval.decided": z.object({
    at,
    callId,
    approvalId: z.string(),
    status: z.string(),
    by: ActorRef.nullish(),
    comment: z.string().nullish(),
  }),
  "turn.suspended": z.object({ at, approvalId: z.string() }),
  "turn.resumed": z.object({ at }),
  "turn.recovered": z.object({
    at,
    formerOwner: z.string().nullable(),
    again: z.array(z.string()),
    interrupted: z.array(z.string()).default([]),
  }),
  "turn.finished": z.object({ at, status: z.enum(turnStatuses) }),
} as const;

type Shapes = typeof shapes;
export type JournalEvent = { [Name in keyof Shapes]: { name: Name; seq: number } & z.infer<Shapes[Name]> }[keyof Shapes];

/** The events that we know how to tell, in order; one that a newer server adds is passed over. */
export function readJournal(events: readonly RawJournalEvent[]): JournalEvent[] {
  return events.flatMap(({ seq, name, data }) => {
    if (!(name in shapes)) return [];
    const parsed = shapes[name as keyof Shapes].safeParse(data);
    return parsed.success ? [{ ...parsed.data, name, seq } as JournalEvent] : [];
  });
}
