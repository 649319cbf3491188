import type { LiveTurn } from "./live-turn";

/** A turn that is advancing in this process; its steps share it. */
export type TurnRun = {
  live: LiveTurn;
  /** Aborts when the turn is cancelled. */
  cancelled: AbortSignal;
  cancel: () => void;
  /** Called when the turn is stored. */
  isKnown: () => void;
  /** Milliseconds that a new turn may run unstored while its calls are harmless; 0 for never. */
  holdBackMs: number;
};

/** Another replica claimed the turn, or it ended or was deleted. Stop silently. */
export class TurnLeft extends Error {}

/** Another turn was stored first under the same Idempotency-Key, or the conversation was deleted. */
export class DuplicateSubmission extends Error {}
