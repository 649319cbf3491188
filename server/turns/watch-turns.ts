import "server-only";
import { inArray } from "drizzle-orm";
import { turns } from "@/db/schema";
import { onSignal, signalEverywhere, signalHere } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";

/** How often the rows of the watched turns are looked at, all at once: what a lost signal costs at the most. */
const lookMs = 1_000;
/** How long other replicas are told after they said that somebody there watches. */
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
        // Last in the map is what ends last.
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

/** Begins to hear what other replicas want to be told; called once at start. */
export function startWatching(): void {
  watch();
}

/**
 * Makes sure that signals about a turn come, wherever it runs and even when one gets lost.
 * @returns a function that ends it
 */
export function watchTurn(turnId: string): () => void {
  const state = watch();
  const watched = state.here.get(turnId) ?? { watchers: 0, seen: null, announcedAt: 0 };
  watched.watchers += 1;
  state.here.set(turnId, watched);
  if (watched.watchers === 1) announce(state, turnId);
  state.timer ??= setInterval(() => void look(state), lookMs);
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
 * Tells everybody who watches a turn that there is something new about it.
 * @param rests whether it has come to rest in this process, with everything committed
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

/** Sends what is only a hint: when it does not arrive, the rows are looked at a moment later. */
export function send(signal: Parameters<typeof signalEverywhere>[0]): void {
  signalEverywhere(signal).catch((error) => log().debug({ err: error }, "a signal was not sent"));
}

/** Turns that are begun to be watched at the same moment are announced together. */
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

/** Looks at the rows of all watched turns, and signals what changed without our hearing of it. */
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
      // At the first look too: what changed since the watcher read the rows, nobody else may tell.
      watched.seen = now;
      signalHere({ topic: "turn", turnId, seen: true });
    }
  } catch (error) {
    log().debug({ err: error }, "watched turns could not be looked at");
  } finally {
    state.isLooking = false;
  }
}
