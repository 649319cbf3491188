import { type CallStatus, finalCallStatuses } from "@/contracts/calls/call-statuses";
import type { JsonObject } from "@/contracts/common";
import type { TurnEventName, TurnStatus } from "@/contracts/turns/turns";
import type { artifacts } from "@/db/schema";
import { openArguments } from "@/server/audit/kept-arguments";
import type { AuditEntry } from "@/server/audit/record";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { assertMove, callMoves, turnMoves } from "./allowed-transitions";
import type { CallRow, TurnRow } from "./read/present-turn";

export type NewArtifact = typeof artifacts.$inferInsert & { id: string };
export type JournalEntry = {
  event: TurnEventName;
  data: JsonObject;
  at: Date;
  /** Call whose change must be stored together with the event; null for events of the turn. */
  callId: string | null;
};

/** The last stored state of the row. `version` is the optimistic lock; the other fields explain a lost race. */
export type StoredPart = Pick<TurnRow, "version" | "status" | "claimedBy" | "cancelRequestedAt">;

/** Changes since the last write. */
export type Unsaved = {
  turn: boolean;
  calls: Set<CallRow>;
  journal: JournalEntry[];
  audit: AuditEntry[];
  artifacts: NewArtifact[];
};

/**
 * A turn in memory: its rows as they will be written, the stored state to compare with, and the unsaved changes. The
 * functions in `transitions/` change it, and `saveTurn` writes all changes at once.
 */
export type LiveTurn = {
  turn: TurnRow;
  /** In order of submission. */
  calls: CallRow[];
  /** State of the row at our last read or write; null before the turn is stored. */
  stored: StoredPart | null;
  unsaved: Unsaved;
  /** The workspace's config version at the last write; 0 before the first. */
  configVersion: number;
  /** Characters reserved for results that are being stored, by call. */
  reserved: Map<string, number>;
  /** Settles when the current write ends. */
  saving: Promise<unknown>;
  /** Agent and tool sources for audit rows; null before the turn is planned. */
  facts: CallFacts | null;
  /** Whether the audit refused the last write. Outcomes then go to its backlog, and calls that have not begun are held back. */
  isAuditRefused: boolean;
  /** The trace of the request that submitted the turn; absent when the turn was recovered or resumed. */
  traceparent?: string;
};

/** Facts of a turn's calls that its rows do not hold. */
export type CallFacts = { agent: string; sourceOf: (toolName: string) => string | null };

export const emptyUnsaved = (): Unsaved => ({ turn: false, calls: new Set(), journal: [], audit: [], artifacts: [] });

/** Creates a live turn that is not stored yet. */
export function newTurn(turn: TurnRow, calls: CallRow[]): LiveTurn {
  const unsaved = { ...emptyUnsaved(), turn: true, calls: new Set(calls) };
  const nothingKnown = { configVersion: 0, reserved: new Map(), saving: Promise.resolve(), facts: null, isAuditRefused: false };
  return { turn, calls, stored: null, unsaved, ...nothingKnown };
}

/** Creates a live turn from its rows; its calls get the unsealed arguments with which they run. */
export function storedTurn(turn: TurnRow, calls: readonly CallRow[]): LiveTurn {
  return {
    turn,
    calls: calls.map(openArguments),
    stored: toStoredPart(turn),
    unsaved: emptyUnsaved(),
    configVersion: 0,
    reserved: new Map(),
    saving: Promise.resolve(),
    facts: null,
    isAuditRefused: false,
  };
}

export function toStoredPart({ version, status, claimedBy, cancelRequestedAt }: TurnRow): StoredPart {
  return { version, status, claimedBy, cancelRequestedAt };
}

/** Changes a call's status with the columns that belong to it. Every transition of a call uses this function. */
export function moveCall(live: LiveTurn, call: CallRow, status: CallStatus, change: Partial<CallRow> = {}): void {
  assertMove(callMoves, `call ${call.id}`, call.status, status);
  Object.assign(call, { waitsFor: null }, change, { status });
  live.unsaved.calls.add(call);
}

/** Changes the turn's status with the columns that belong to it. Every transition of a turn uses this function. */
export function moveTurn(live: LiveTurn, status: TurnStatus, change: Partial<TurnRow>): void {
  assertMove(turnMoves, `turn ${live.turn.id}`, live.turn.status, status);
  Object.assign(live.turn, change, { status });
  live.unsaved.turn = true;
}

/** Adds an event to the turn's journal. */
export function appendEvent(live: LiveTurn, event: TurnEventName, data: JsonObject, callId: string | null = null): void {
  live.unsaved.journal.push({ event, data, at: sharedNow(), callId });
}

/** Returns the call with this id. @throws Error for a call of another turn */
export function findCall(live: LiveTurn, callId: string): CallRow {
  const call = live.calls.find(({ id }) => id === callId);
  if (!call) throw new Error(`call ${callId} is not one of turn ${live.turn.id}`);
  return call;
}

/** Takes a snapshot of a turn. @returns a function that restores the turn, for a transaction that did not commit */
export function takeSnapshot(live: LiveTurn): () => void {
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
