import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import type { Opening } from "../session/open-session";
import type { Session } from "../session/session";
import { type Attempt, type ConnectionEvent, type ConnectionState, initialState, nextState, sessionOf } from "./connection-state";

type SessionUse = {
  /** Opens a session, or says why none opened. Never rejects. */
  open(signal: AbortSignal): Promise<Opening>;
  opened(session: Session): void;
  /** Called with every reason why no session is there. */
  failed(why: Failure): void;
};

type Failure = Omit<Extract<Opening, { ok: false }>, "ok" | "isFinal" | "latencyMs"> & {
  /** The session was open and ended by itself. */
  wasOpen?: boolean;
};

/** One session that is opened again after every loss, until `close`. */
export type KeptSession = {
  /** Returns the session that serves calls now; null while the server is away. */
  current(): Session | null;
  /** Returns the sentence of the last failure; null while the server answers. */
  why(): string | null;
  isClosed(): boolean;
  /** Opens a session if none is opening. */
  open(): Promise<Opening>;
  /** Supersedes an attempt that runs, and opens a new session in place of the current one. */
  reopen(): Promise<Opening>;
  /** Opens sessions until `gone` is no longer the current one. */
  replace(gone: Session): Promise<void>;
  /** Resolves when there is no attempt, or the attempt or the signal has ended. */
  settled(signal: AbortSignal): Promise<void>;
  /** Takes note that a session has ended, and opens another. */
  lose(gone: Session, sentence: string): void;
  close(): Promise<void>;
};

const firstPauseMs = 1_000;
const maxPauseMs = 120_000;
const maxDrainMs = 60_000;
const betweenLooksMs = 100;
const closedOpening: Opening = { ok: false, error: "The connection is being closed.", stderr: null, isFinal: true, latencyMs: 0 };

/** Returns the pause before an attempt, doubled per failure. Half of it is random, so that replicas do not retry in step. */
export function pauseBefore(failures: number, chance: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(failures, 10)) * (0.5 + chance / 2);
}

/** Keeps a session open: each event changes the state by `nextState`, and what follows from it happens here. */
export function keepSession(use: SessionUse): KeptSession {
  let state: ConnectionState = initialState;
  const draining = new Set<Session>();
  const after = (event: ConnectionEvent): void => {
    if (state.is === "away" && state.retry) clearTimeout(state.retry);
    state = nextState(state, event);
  };

  const begin = (before: Attempt | null, failures = state.failures): Promise<Opening> => {
    before?.abort.abort();
    const abort = new AbortController();
    const attempt: Attempt = { abort, ended: (before?.ended ?? Promise.resolve()).then(() => tryToOpen(abort.signal)) };
    after({ kind: "begun", attempt, failures });
    return attempt.ended;
  };

  const tryToOpen = async (signal: AbortSignal): Promise<Opening> => {
    const opening = await use.open(signal);
    if (signal.aborted || state.is === "closed") {
      if (opening.ok) await opening.session.close();
      return closedOpening;
    }
    // The previous session is replaced, or was opened under outdated settings.
    const previous = sessionOf(state);
    if (previous) void drain(previous);
    if (opening.ok) {
      after({ kind: "opened", session: opening.session, at: performance.now() });
      use.opened(opening.session);
      opening.session.onLost((sentence) => lose(opening.session, sentence));
    } else {
      after({ kind: "failed", why: opening.error });
      use.failed(opening);
      if (!opening.isFinal) openLater();
    }
    return opening;
  };

  const open = (): Promise<Opening> => {
    if (state.is === "closed") return Promise.resolve(closedOpening);
    return state.is === "opening" ? state.attempt.ended : begin(null);
  };

  const openLater = (): void => {
    if (state.is !== "away") return;
    const retry = setTimeout(() => void open(), pauseBefore(state.failures, Math.random()));
    retry.unref();
    after({ kind: "waits", retry });
  };

  const lose = (gone: Session, sentence: string): void => {
    if (sessionOf(state) !== gone) return;
    after({ kind: "lost", why: sentence, at: performance.now() });
    use.failed({ error: sentence, stderr: gone.stderr(), cures: gone.findCures(), wasOpen: true });
    if (state.is !== "away") return;
    // After a good session the first attempt follows at once, and calls that arrive now wait for that attempt.
    if (state.failures === 0) void begin(null, 1);
    else openLater();
  };

  /** Closes a replaced session when its last call is answered, at the latest after `maxDrainMs`. */
  const drain = async (replaced: Session): Promise<void> => {
    draining.add(replaced);
    const end = performance.now() + maxDrainMs;
    while (replaced.inFlight() > 0 && replaced.lost() === null && state.is !== "closed" && performance.now() < end) {
      await wait(betweenLooksMs, undefined, { ref: false });
    }
    await replaced.close();
    draining.delete(replaced);
  };

  return {
    current: () => sessionOf(state),
    why: () => state.why,
    isClosed: () => state.is === "closed",
    open,
    reopen: () => (state.is === "closed" ? Promise.resolve(closedOpening) : begin(state.is === "opening" ? state.attempt : null)),
    replace: async (gone) => {
      // Changed settings supersede an attempt, which then ends without a session of its own.
      while (sessionOf(state) === gone) await open();
    },
    settled: async (signal) => {
      if (state.is === "opening") await Promise.race([state.attempt.ended, aborted(signal)]);
    },
    lose,
    close: async () => {
      const last = sessionOf(state);
      const attempt = state.is === "opening" ? state.attempt : null;
      attempt?.abort.abort();
      after({ kind: "closed" });
      await Promise.all([last?.close(), attempt?.ended, ...[...draining].map((replaced) => replaced.close())]);
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
