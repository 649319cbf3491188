import "server-only";
import { isFinal, type LiveTurn, storedPartOf } from "./live-turn";
import { loadTurn } from "./load-turn";
import type { CallRow } from "./present-turn";
import { isFinished } from "./wait-for-turn";

/** What became of a turn whose rows were not as expected. */
export type Refreshed = "ours" | "missing" | "lost";

/**
 * Looks what the rows of a turn say, after they were not as expected. `ours`: it is still in the same hands (a
 * cancellation came, or the change was written before the answer got lost), and what is unsaved fits the rows again.
 * `missing`: the database has never seen it, or not any more. `lost`: it is over, or somebody else has had it; its rows
 * say what came of it, and nothing is to be added.
 */
export async function refreshTurn(live: LiveTurn): Promise<Refreshed> {
  const loaded = await loadTurn(live.turn.id);
  if (!loaded) return "missing";
  const { turn, calls } = loaded;
  if (isFinished(turn)) return "lost";
  const before = live.stored ?? { ...live.turn, version: -1 };
  // While it is claimed only its owner and who cancels it write; what nobody owns may have been in any hands meanwhile.
  const cancellations = turn.cancelRequestedAt && !before.cancelRequestedAt ? 1 : 0;
  const versionsWritten = turn.version - before.version - cancellations;
  const isWritten = turn.status === live.turn.status && turn.claimedBy === live.turn.claimedBy && versionsWritten > 0;
  const isClaimed = turn.claimedBy !== null && turn.claimedBy === (live.turn.claimedBy ?? before.claimedBy);
  if (!isClaimed && !(isWritten && versionsWritten === 1)) return "lost";
  live.turn.cancelRequestedAt = turn.cancelRequestedAt;
  live.turn.version = turn.version;
  adoptEnded(live, calls);
  live.stored = storedPartOf(turn);
  if (isWritten) forgetWritten(live, calls);
  return "ours";
}

/** Takes over calls that have ended as far as the rows know, however they ended here: an end is written and told once. */
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

/** Leaves out of the unsaved what the rows say already, so that it is not told twice. */
function forgetWritten({ calls, unsaved }: LiveTurn, rows: readonly CallRow[]): void {
  const written = new Map(rows.map(({ id, status }) => [id, status]));
  for (const call of calls) if (written.get(call.id) === call.status) unsaved.calls.delete(call);
  const unsavedIds = new Set([...unsaved.calls].map(({ id }) => id));
  const isUntold = ({ callId }: { callId?: string | null }) => callId != null && unsavedIds.has(callId);
  unsaved.journal = unsaved.journal.filter(isUntold);
  unsaved.audit = unsaved.audit.filter(isUntold);
  unsaved.artifacts = unsaved.artifacts.filter(isUntold);
}
