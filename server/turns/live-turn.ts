import type { JsonObject } from "@/contracts/common";
import { type CallStatus, finalCallStatuses, type TurnEventName, type TurnStatus } from "@/contracts/turns";
import type { artifacts } from "@/db/schema";
import { openArguments } from "@/server/audit/kept-arguments";
import type { AuditEntry } from "@/server/audit/record";
import type { CallRow, TurnRow } from "./present-turn";
import { callMoves, demandMove, turnMoves } from "./transitions";

export type NewArtifact = typeof artifacts.$inferInsert & { id: string };
export type JournalEntry = {
  event: TurnEventName;
  data: JsonObject;
  at: Date;
  /** Told only when this call's change is stored with it. */
  callId: string | null;
};

/** What of a turn's row we know to be stored: the version decides whether we may write, the rest what became of it when we may not. */
export type StoredPart = Pick<TurnRow, "version" | "status" | "claimedBy" | "cancelRequestedAt">;

/** What changed since the rows were written. */
export type Unsaved = {
  turn: boolean;
  calls: Set<CallRow>;
  journal: JournalEntry[];
  audit: AuditEntry[];
  artifacts: NewArtifact[];
};

/**
 * A turn in the hands of whoever works on it: its rows as they are to be, what the database holds to compare with, and
 * what has changed since. The arrows (`arrows/`) change it in memory, `saveTurn` writes all of that at once.
 */
export type LiveTurn = {
  turn: TurnRow;
  /** In the order in which they were submitted. */
  calls: CallRow[];
  /** What the database held when we last looked; null when it has not seen the turn. */
  stored: StoredPart | null;
  unsaved: Unsaved;
  /** The workspace's config version as the last writing saw it; 0 before the first. */
  configVersion: number;
  /** Characters that results take which are just being stored, by call. */
  reserved: Map<string, number>;
  /** Ends when what is being written now is written. */
  saving: Promise<unknown>;
};

export const nothingUnsaved = (): Unsaved => ({ turn: false, calls: new Set(), journal: [], audit: [], artifacts: [] });

/** A turn that nobody has stored yet. */
export function newTurn(turn: TurnRow, calls: CallRow[]): LiveTurn {
  const unsaved = { ...nothingUnsaved(), turn: true, calls: new Set(calls) };
  return { turn, calls, stored: null, unsaved, configVersion: 0, reserved: new Map(), saving: Promise.resolve() };
}

/** A turn as its rows say, its calls with the arguments that they are run with. */
export function storedTurn(turn: TurnRow, calls: readonly CallRow[]): LiveTurn {
  return {
    turn,
    calls: calls.map(openArguments),
    stored: storedPartOf(turn),
    unsaved: nothingUnsaved(),
    configVersion: 0,
    reserved: new Map(),
    saving: Promise.resolve(),
  };
}

export function storedPartOf({ version, status, claimedBy, cancelRequestedAt }: TurnRow): StoredPart {
  return { version, status, claimedBy, cancelRequestedAt };
}

/** Changes a call's status, and what changes with it; the only way there is. */
export function moveCall(live: LiveTurn, call: CallRow, status: CallStatus, change: Partial<CallRow> = {}): void {
  demandMove(callMoves, `call ${call.id}`, call.status, status);
  Object.assign(call, change, { status });
  live.unsaved.calls.add(call);
}

/** Changes the turn's status, and what changes with it; the only way there is. */
export function moveTurn(live: LiveTurn, status: TurnStatus, change: Partial<TurnRow>): void {
  demandMove(turnMoves, `turn ${live.turn.id}`, live.turn.status, status);
  Object.assign(live.turn, change, { status });
  live.unsaved.turn = true;
}

/** Adds an event to the turn's journal. */
export function note(live: LiveTurn, event: TurnEventName, data: JsonObject, callId: string | null = null): void {
  live.unsaved.journal.push({ event, data, at: new Date(), callId });
}

/** The call with this id. @throws Error when it is not one of the turn's. */
export function callOf(live: LiveTurn, callId: string): CallRow {
  const call = live.calls.find(({ id }) => id === callId);
  if (!call) throw new Error(`call ${callId} is not one of turn ${live.turn.id}`);
  return call;
}

/** Remembers a turn as it is. @returns a function that brings it back, for a transaction that did not commit. */
export function snapshotOf(live: LiveTurn): () => void {
  const { stored, unsaved } = live;
  const turn = { ...live.turn };
  const calls = live.calls.map((call) => ({ ...call }));
  const kept: Unsaved = {
    turn: unsaved.turn,
    calls: new Set(unsaved.calls),
    journal: [...unsaved.journal],
    audit: [...unsaved.audit],
    artifacts: [...unsaved.artifacts],
  };
  return () => {
    Object.assign(live.turn, turn);
    for (const [place, call] of live.calls.entries()) Object.assign(call, calls[place]);
    live.stored = stored;
    live.unsaved = kept;
  };
}

const finalStatuses = new Set<CallStatus>(finalCallStatuses);

export const isFinal = ({ status }: { status: CallStatus }): boolean => finalStatuses.has(status);
