import "server-only";
import type { Db } from "@/db/client";
import { auditJson } from "@/server/audit/audit-columns";
import { db, writerPool, writersBeside } from "@/server/platform/database";
import { groupCommit } from "@/server/platform/group-commit";
import { processWide } from "@/server/platform/process-wide";
import { inTransaction } from "@/server/platform/statement-text";
import { type LiveTurn, nothingUnsaved, snapshotOf, storedPartOf, type Unsaved } from "./live-turn";
import { type Change, saveStatement } from "./save-statement";

/** Turns that wait together are written by one statement, at most this many. */
const turnsAtOnce = 256;

type SavedRow = { id: string; config_version: string };

const commitChange = () =>
  processWide("saveTurns", () =>
    groupCommit<Change, number | null>(
      async (changes) => {
        // Of two that hold the same turn one may write: each alone fits the rows, both together do not.
        const first = new Map(changes.toReversed().map((change) => [change.turn.id, change]));
        const { text, parameters } = saveStatement([...first.values()]);
        const rows = await writerPool().unsafe<SavedRow[]>(text, [...parameters], { prepare: true });
        const versions = new Map(rows.map(({ id, config_version }) => [id, Number(config_version)]));
        return changes.map((change) => (first.get(change.turn.id) === change ? (versions.get(change.turn.id) ?? null) : null));
      },
      { atMost: turnsAtOnce, beside: writersBeside },
    ),
  );

/**
 * Writes what changed in a turn: rows, journal, artifacts and audit together, or nothing. The turn must
 * still be in the version that we last saw, so that of any number of processes that change a turn at once one succeeds;
 * and writing the same change twice, after an answer that never came, changes nothing twice.
 * @param tx the transaction to write in; without one, turns of this moment are committed together
 * @returns false when the rows are no longer what we thought, and nothing was written
 */
export function saveTurn(live: LiveTurn, tx?: Db): Promise<boolean> {
  const saved = live.saving.then(() => write(live, tx));
  live.saving = saved.catch(() => {});
  return saved;
}

async function write(live: LiveTurn, tx?: Db): Promise<boolean> {
  const { unsaved } = live;
  if (isNothing(unsaved)) return true;
  const change = changeOf(live);
  const { stored } = live;
  // What changes while we write is the next writing's.
  live.unsaved = nothingUnsaved();
  const putBack = () => {
    live.unsaved = merge(unsaved, live.unsaved);
  };
  let configVersion: number | null;
  try {
    configVersion = tx ? await writeIn(tx, change) : await commitChange()(change);
  } catch (error) {
    putBack();
    throw error;
  }
  if (configVersion === null) {
    putBack();
    return false;
  }
  live.configVersion = configVersion;
  live.turn.version = stored ? stored.version + 1 : 0;
  live.stored = { ...storedPartOf(change.turn), version: live.turn.version };
  return true;
}

/**
 * Changes a turn and writes it together with other rows, in a transaction of its own. When that does not commit, the
 * turn is as it was before. Nothing else may change the turn meanwhile.
 * @returns false when the rows are no longer what we thought, and nothing was written
 */
export async function saveAlongside(
  live: LiveTurn,
  { change = () => {}, write: writeBeside }: { change?: () => void | Promise<void>; write: (tx: Db) => Promise<void> },
): Promise<boolean> {
  await live.saving;
  const restore = snapshotOf(live);
  try {
    await change();
    const isSaved = await db().transaction(async (tx) => {
      if (!(await saveTurn(live, tx))) return false;
      await writeBeside(tx);
      return true;
    });
    if (!isSaved) restore();
    return isSaved;
  } catch (error) {
    restore();
    throw error;
  }
}

/** The change as it is now: what is written must not move under us. */
function changeOf({ turn, stored, unsaved }: LiveTurn): Change {
  const isOver = turn.finishedAt !== null;
  return {
    turn: { ...turn },
    before: stored,
    calls: [...unsaved.calls].map((call) => ({ ...call })),
    // A turn that is over before anybody could watch it needs no journal: its events follow from its rows.
    journal: stored === null && isOver ? [] : unsaved.journal,
    audit: unsaved.audit.map(auditJson),
    artifacts: unsaved.artifacts,
  };
}

async function writeIn(tx: Db, change: Change): Promise<number | null> {
  const [row] = await tx.execute<SavedRow>(inTransaction(saveStatement([change])));
  return row ? Number(row.config_version) : null;
}

function isNothing({ turn, calls, journal, audit, artifacts }: Unsaved): boolean {
  return !turn && calls.size === 0 && journal.length === 0 && audit.length === 0 && artifacts.length === 0;
}

function merge(first: Unsaved, then: Unsaved): Unsaved {
  return {
    turn: first.turn || then.turn,
    calls: new Set([...first.calls, ...then.calls]),
    journal: [...first.journal, ...then.journal],
    audit: [...first.audit, ...then.audit],
    artifacts: [...first.artifacts, ...then.artifacts],
  };
}
