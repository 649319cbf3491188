import "server-only";
import { isFinal, type LiveTurn, toStoredPart } from "../live-turn";
import { loadTurn } from "../read/load-turn";
import type { CallRow } from "../read/present-turn";
import { isFinished } from "../read/wait-for-turn";

/** State of a turn after a write found unexpected rows. */
export type Refreshed = "ours" | "missing" | "lost";

/**
 * Reads the rows of a turn after a write found them unexpected. `ours`: the turn is still ours (a cancellation came,
 * or our write committed and only its answer was lost), and the unsaved changes fit the rows again. `missing`: the
 * turn was never stored, or was deleted. `lost`: the turn is finished or has had another owner; its rows are right,
 * and we must add nothing.
 */
export async function refreshTurn(live: LiveTurn): Promise<Refreshed> {
  const loaded = await loadTurn(live.turn.id);
  if (!loaded) return "missing";
  const { turn, calls } = loaded;
  if (isFinished(turn)) return "lost";
  const before = live.stored ?? { ...live.turn, version: -1 };
  // Only its owner and a cancellation write a claimed turn; an unclaimed turn may have had any owner meanwhile.
  const cancellations = turn.cancelRequestedAt && !before.cancelRequestedAt ? 1 : 0;
  const versionsWritten = turn.version - before.version - cancellations;
  const isWritten = turn.status === live.turn.status && turn.claimedBy === live.turn.claimedBy && versionsWritten > 0;
  const isClaimed = turn.claimedBy !== null && turn.claimedBy === (live.turn.claimedBy ?? before.claimedBy);
  if (!isClaimed && !(isWritten && versionsWritten === 1)) return "lost";
  live.turn.cancelRequestedAt = turn.cancelRequestedAt;
  live.turn.version = turn.version;
  adoptEnded(live, calls);
  live.stored = toStoredPart(turn);
  if (isWritten) forgetWritten(live, calls);
  return "ours";
}

/** Takes over ends that another writer stored, even if this process has another end: an end is written and announced once. */
function adoptEnded({ calls, unsaved }: LiveTurn, rows: readonly CallRow[]): void {
  const ended = new Map(rows.filter(isFinal).map((row) => [row.id, row]));
  for (const call of calls) {
    const row = ended.get(call.id);
    if (!row) continue;
    Object.assign(call, row);
    unsaved.calls.delete(call);
  }
  const isOpen = ({ callId }: { callId?: string | null }) => callId == null || !ended.has(callId);
  unsaved.journal = unsaved.journal.filter(isOpen);
  unsaved.audit = unsaved.audit.filter(isOpen);
  unsaved.artifacts = unsaved.artifacts.filter(isOpen);
}

/** Removes unsaved changes that the rows already have, so that nothing is announced twice. */
function forgetWritten({ calls, unsaved }: LiveTurn, rows: readonly CallRow[]): void {
  const written = new Map(rows.map((row) => [row.id, stateOf(row)]));
  for (const call of calls) if (written.get(call.id) === stateOf(call)) unsaved.calls.delete(call);
  const unsavedIds = new Set([...unsaved.calls].map(({ id }) => id));
  const isUntold = ({ callId }: { callId?: string | null }) => callId != null && unsavedIds.has(callId);
  unsaved.journal = unsaved.journal.filter(isUntold);
  unsaved.audit = unsaved.audit.filter(isUntold);
  unsaved.artifacts = unsaved.artifacts.filter(isUntold);
}

const stateOf = ({ status, waitsFor }: CallRow) => `${status} ${waitsFor ?? ""}`;
