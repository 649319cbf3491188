import "server-only";
import { deletedMeanwhile } from "@/server/conversations/find-conversation";
import { isConflict, isDatabaseAway, isForeignKeyViolation, isWriteRefused } from "@/server/platform/database/sql-state";
import { log } from "@/server/platform/log";
import { retry } from "@/server/platform/retry";
import { shutdownSignal } from "@/server/platform/shutdown";
import { tellWatchers } from "../read/watch-turns";
import { refreshTurn } from "../recovery/refresh-turn";
import { saveFinished } from "../save/save-finished";
import { saveTurn } from "../save/save-turn";
import { DuplicateSubmission, TurnLeft, type TurnRun } from "../turn-run";

/** Pauses between attempts to write while the database is away. */
const pauses = { firstPauseMs: 200, maxPauseMs: 2_000 };

/** Last step of a turn: writes all unsaved changes. @returns false when somebody else wrote meanwhile, so that plans may be out of date */
export async function saveChanges(run: TurnRun): Promise<boolean> {
  let isUndisturbed = true;
  while (!(await writeThrough(run, () => saveTurn(run.live)))) isUndisturbed = false;
  return isUndisturbed;
}

/**
 * Runs one write of the turn, and adopts what others wrote meanwhile. A write of a stored turn is repeated for as long
 * as the database stays away; a turn that was never stored fails at once and leaves nothing.
 * @returns false when the rows were not as expected; `live` is up to date again, and the caller must decide anew
 * @throws TurnLeft, DuplicateSubmission
 */
export async function writeThrough(run: TurnRun, write: () => Promise<boolean>): Promise<boolean> {
  const { live } = run;
  let isNew = live.stored === null;
  const attempt = async () => {
    isNew = live.stored === null;
    try {
      return await announceOrRefresh(run, isNew, await write());
    } catch (error) {
      if (isNew && isForeignKeyViolation(error)) throw deletedMeanwhile();
      const isRefused = !isNew && isWriteRefused(error) && !shutdownSignal().aborted;
      const isWritten = isRefused ? await writtenWithoutAudit(run, write) : null;
      if (isWritten !== null) return announceOrRefresh(run, isNew, isWritten);
      throw error;
    }
  };
  const mayRecover = (error: Error) => {
    const mayComeAgain = isConflict(error) || (!isNew && (isWriteRefused(error) || isDatabaseAway(error)));
    if (!mayComeAgain || shutdownSignal().aborted) return false;
    log().warn({ err: error, turnId: live.turn.id }, "a turn waits to be written");
    return true;
  };
  return retry(attempt, { ...pauses, mayRecover });
}

/** Announces a write that succeeded, or adopts what others wrote. */
async function announceOrRefresh(run: TurnRun, isNew: boolean, isWritten: boolean): Promise<boolean> {
  const { turn } = run.live;
  if (isWritten) {
    run.isKnown();
    if (!isNew || turn.finishedAt === null) tellWatchers(turn.id, { rests: turn.status !== "running" });
  } else await adoptOtherChanges(run);
  return isWritten;
}

/**
 * Stores the outcomes of finished calls with their audit rows in the backlog, in case only the audit cannot be
 * written. Calls that have not begun stay unwritten, because their intent must be in the audit first.
 * @returns null when unsaved changes are left
 */
async function writtenWithoutAudit({ live }: TurnRun, write: () => Promise<boolean>): Promise<boolean | null> {
  live.isAuditRefused = true;
  try {
    const isWritten = await write().catch(async (error) => {
      // A new approval needs its own audit row and fails with it; the outcomes before the approval must not wait.
      if (live.turn.finishedAt === null) await saveTurn(live);
      throw error;
    });
    return isWritten && live.unsaved.audit.length > 0 ? null : isWritten;
  } catch (error) {
    log().warn({ err: error, turnId: live.turn.id }, "the database takes neither audit rows nor outcomes");
    return null;
  } finally {
    live.isAuditRefused = false;
  }
}

/** Writes the end of a turn, with the events that announce it. */
export async function saveEnd(run: TurnRun): Promise<void> {
  while (!(await writeThrough(run, () => saveFinished(run.live))));
}

/** Adopts what others did to the turn. @throws TurnLeft, DuplicateSubmission */
async function adoptOtherChanges({ live, cancelled, cancel }: TurnRun): Promise<void> {
  const isNew = live.stored === null;
  const refreshed = await refreshTurn(live);
  if (refreshed === "ours") {
    if (live.turn.cancelRequestedAt) cancel();
    return;
  }
  if (refreshed === "missing" && isNew) throw new DuplicateSubmission();
  if (!cancelled.aborted) log().info({ turnId: live.turn.id }, "a turn was ended or taken over by others while it ran here");
  throw new TurnLeft();
}
