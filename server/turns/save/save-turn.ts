import "server-only";
import type { Db } from "@/db/client";
import { auditJson } from "@/server/audit/audit-columns";
import { db, writerPool, writersBeside } from "@/server/platform/database/database";
import { groupCommit } from "@/server/platform/database/group-commit";
import { inTransaction } from "@/server/platform/database/statement-text";
import { processWide } from "@/server/platform/process-wide";
import { emptyUnsaved, type LiveTurn, takeSnapshot, toStoredPart, type Unsaved } from "../live-turn";
import { intentEvent } from "../transitions/record-intent";
import { releaseEvent } from "../transitions/release-call";
import { type Change, saveStatement } from "./save-statement";

/** Maximum of turns that one statement writes. */
const turnsAtOnce = 256;

type SavedRow = { id: string; config_version: string };

const commitChange = () =>
  processWide("saveTurns", () =>
    groupCommit<Change, number | null>(
      async (changes) => {
        // Only the first of two changes to the same turn is written, because both expect the same version.
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
 * Writes the changes of a turn: rows, journal, artifacts and audit together, or nothing. The row must still have the
 * version that we last saw. So of several processes that change a turn at once one succeeds, and repeating a write
 * whose answer was lost changes nothing twice.
 * @param tx the transaction to write in; without it, concurrent turns are committed together
 * @returns false when the rows are no longer what we thought, and nothing was written
 */
export function saveTurn(live: LiveTurn, tx?: Db): Promise<boolean> {
  const saved = live.saving.then(() => write(live, tx));
  live.saving = saved.catch(() => {});
  return saved;
}

async function write(live: LiveTurn, tx?: Db): Promise<boolean> {
  const { now: unsaved, later } = live.isAuditRefused ? withoutIntents(live.unsaved) : { now: live.unsaved, later: emptyUnsaved() };
  if (isNothing(unsaved)) return true;
  const change = changeOf(live, unsaved);
  const { stored } = live;
  // Changes made during this write belong to the next one.
  live.unsaved = later;
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
  live.stored = { ...toStoredPart(change.turn), version: live.turn.version };
  return true;
}

/**
 * Changes a turn and writes it together with other rows in one transaction. The turn is restored when the transaction
 * does not commit, so nothing else may change the turn meanwhile.
 * @returns false when the rows are no longer what we thought, and nothing was written
 */
export async function saveAlongside(
  live: LiveTurn,
  { change = () => {}, write: writeBeside }: { change?: () => void | Promise<void>; write: (tx: Db) => Promise<void> },
): Promise<boolean> {
  await live.saving;
  const restore = takeSnapshot(live);
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

/** Copies the turn and its changed calls, because both may change during the write. */
function changeOf({ turn, stored, isAuditRefused }: LiveTurn, unsaved: Unsaved): Change {
  const isOver = turn.finishedAt !== null;
  return {
    turn: { ...turn },
    before: stored,
    calls: [...unsaved.calls].map((call) => ({ ...call })),
    // A turn that finished before it was stored needs no journal, because `journalOf` derives its events from the rows.
    journal: stored === null && isOver ? [] : unsaved.journal,
    audit: isAuditRefused ? [] : unsaved.audit.map(auditJson),
    backlog: isAuditRefused ? unsaved.audit.map(auditJson) : [],
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

/** Splits off the calls whose intent is not in the audit yet, because no row may say that they run. */
function withoutIntents({ turn, calls, journal, audit, artifacts }: Unsaved): { now: Unsaved; later: Unsaved } {
  const intents = audit.filter(({ event }) => event === intentEvent || event === releaseEvent);
  const held = new Set(intents.map(({ callId }) => callId));
  const isHeld = (callId: string | null) => callId !== null && held.has(callId);
  const [calledLater = [], calledNow = []] = [true, false].map((later) => [...calls].filter(({ id }) => isHeld(id) === later));
  const [toldLater = [], toldNow = []] = [true, false].map((later) => journal.filter(({ callId }) => isHeld(callId) === later));
  return {
    now: { turn, calls: new Set(calledNow), journal: toldNow, audit: audit.filter((entry) => !intents.includes(entry)), artifacts },
    later: { ...emptyUnsaved(), calls: new Set(calledLater), journal: toldLater, audit: intents },
  };
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
