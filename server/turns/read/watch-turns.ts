import "server-only";
import { inArray } from "drizzle-orm";
import { turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { onSignal, signalEverywhere, signalHere } from "@/server/platform/signals/bus";

/** Interval at which the rows of all watched turns are read: the longest delay that a lost signal causes. */
const pollIntervalMs = 1_000;
/** Time for which a replica gets signals about a turn after it announced a watcher. */
const interestMs = 65_000;
const renewMs = 30_000;
/** A NOTIFY carries 8,000 bytes. */
const idsPerSignal = 150;

type Watched = { watchers: number; seen: string | null; announcedAt: number };

type Watch = {
  here: Map<string, Watched>;
  /** Turns that somebody watches on another replica, until when (milliseconds since 1970). */
  elsewhere: Map<string, number>;
  timer: NodeJS.Timeout | null;
  isLooking: boolean;
  unannounced: Set<string>;
};

const watch = () =>
  processWide("turnWatch", () => {
    const state: Watch = { here: new Map(), elsewhere: new Map(), timer: null, isLooking: false, unannounced: new Set() };
    onSignal("watch", ({ turnIds, by }) => {
      if (by === bootId()) return;
      const now = Date.now();
      for (const turnId of turnIds) {
        // Inserted anew, because the map is ordered by expiry.
        state.elsewhere.delete(turnId);
        state.elsewhere.set(turnId, now + interestMs);
      }
      for (const [turnId, until] of state.elsewhere) {
        if (until > now) break;
        state.elsewhere.delete(turnId);
      }
    });
    return state;
  });

/** Subscribes to watchers on other replicas; called once at start. */
export function startWatching(): void {
  watch();
}

/**
 * Watches a turn: signals about it come from any replica, and its row is read in case one gets lost.
 * @returns a function that ends the watch
 */
export function watchTurn(turnId: string): () => void {
  const state = watch();
  const watched = state.here.get(turnId) ?? { watchers: 0, seen: null, announcedAt: 0 };
  watched.watchers += 1;
  state.here.set(turnId, watched);
  if (watched.watchers === 1) announce(state, turnId);
  state.timer ??= setInterval(() => void look(state), pollIntervalMs);
  return () => {
    watched.watchers -= 1;
    if (watched.watchers > 0) return;
    state.here.delete(turnId);
    if (state.here.size === 0 && state.timer) {
      clearInterval(state.timer);
      state.timer = null;
    }
  };
}

/**
 * Signals a change of a turn to all its watchers.
 * @param rests whether the turn has come to rest in this process, with everything committed
 */
export function tellWatchers(turnId: string, { rests = false }: { rests?: boolean } = {}): void {
  signalHere({ topic: "turn", turnId, ...(rests ? { rests } : {}) });
  if (isWatchedElsewhere(turnId)) send({ topic: "turn", turnId });
}

export function isWatchedHere(turnId: string): boolean {
  return watch().here.has(turnId);
}

export function isWatchedElsewhere(turnId: string): boolean {
  const until = watch().elsewhere.get(turnId);
  return until !== undefined && until > Date.now();
}

/** Sends a signal that may get lost, because the rows are read a moment later anyway. */
export function send(signal: Parameters<typeof signalEverywhere>[0]): void {
  signalEverywhere(signal).catch((error) => log().debug({ err: error }, "a signal was not sent"));
}

/** Announces a watched turn, in one signal with all turns of the same tick. */
function announce(state: Watch, turnId: string): void {
  if (state.unannounced.size === 0) setImmediate(() => announceAll(state));
  state.unannounced.add(turnId);
}

function announceAll(state: Watch): void {
  const ids = [...state.unannounced];
  state.unannounced.clear();
  const now = Date.now();
  for (const id of ids) {
    const watched = state.here.get(id);
    if (watched) watched.announcedAt = now;
  }
  for (let from = 0; from < ids.length; from += idsPerSignal) {
    send({ topic: "watch", turnIds: ids.slice(from, from + idsPerSignal), by: bootId() });
  }
}

/** Reads the rows of all watched turns, and signals changes since the last read. */
async function look(state: Watch): Promise<void> {
  if (state.isLooking) return;
  state.isLooking = true;
  try {
    const now = Date.now();
    for (const [turnId, { announcedAt }] of state.here) if (now - announcedAt > renewMs) announce(state, turnId);
    const ids = [...state.here.keys()];
    const rows = await db()
      .select({ id: turns.id, status: turns.status, eventCount: turns.eventCount })
      .from(turns)
      .where(inArray(turns.id, ids));
    const found = new Map(rows.map(({ id, status, eventCount }) => [id, `${status} ${eventCount}`]));
    for (const turnId of ids) {
      const watched = state.here.get(turnId);
      const now = found.get(turnId) ?? "gone";
      if (!watched || watched.seen === now) continue;
      // Also signals at the first read, because a change since the watcher read the rows may have no other signal.
      watched.seen = now;
      signalHere({ topic: "turn", turnId, seen: true });
    }
  } catch (error) {
    log().debug({ err: error }, "watched turns could not be looked at");
  } finally {
    state.isLooking = false;
  }
}
