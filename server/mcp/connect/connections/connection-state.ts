import type { Opening } from "../session/open-session";
import type { Session } from "../session/session";

/** A running attempt to open a session; `abort` supersedes it. */
export type Attempt = { ended: Promise<Opening>; abort: AbortController };

/**
 * What a connection is doing. `failures` counts the attempts since the last good session, and lengthens the pauses between
 * them; `why` is the sentence of the last failure, null while the server answers.
 */
export type ConnectionState = { failures: number; why: string | null } & (
  | { is: "away"; retry: NodeJS.Timeout | null }
  /** `session`: the previous session, which serves calls until the attempt has ended. */
  | { is: "opening"; attempt: Attempt; session: Session | null }
  | { is: "open"; session: Session; since: number }
  | { is: "closed" }
);

export type ConnectionEvent =
  | { kind: "begun"; attempt: Attempt; failures: number }
  | { kind: "opened"; session: Session; at: number }
  | { kind: "failed"; why: string }
  | { kind: "waits"; retry: NodeJS.Timeout }
  | { kind: "lost"; why: string; at: number }
  | { kind: "closed" };

/** After a session of this length, the next loss starts with short pauses again. */
const goodSessionMs = 30_000;

export const initialState: ConnectionState = { is: "away", failures: 0, why: null, retry: null };

/** Returns the state after an event. Times are milliseconds of `performance.now()`. A closed connection stays closed. */
export function nextState(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  const { failures, why } = state;
  if (state.is === "closed") return state;
  switch (event.kind) {
    case "begun":
      return { is: "opening", failures: event.failures, why, attempt: event.attempt, session: sessionOf(state) };
    case "opened":
      return { is: "open", failures, why: null, session: event.session, since: event.at };
    case "failed":
      return { is: "away", failures, why: event.why, retry: null };
    case "waits":
      return { is: "away", failures: failures + 1, why, retry: event.retry };
    case "lost": {
      const wasGood = state.is === "open" && event.at - state.since > goodSessionMs;
      const lost = { failures: wasGood ? 0 : failures, why: event.why };
      return state.is === "opening" ? { ...state, ...lost, session: null } : { is: "away", ...lost, retry: null };
    }
    case "closed":
      return { is: "closed", failures, why };
  }
}

/** Returns the session that serves calls now; null while the server is away. */
export function sessionOf(state: ConnectionState): Session | null {
  return state.is === "open" || state.is === "opening" ? state.session : null;
}
