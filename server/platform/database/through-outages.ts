import { retry } from "../retry";
import { shutdownSignal } from "../shutdown";
import { isDatabaseAway } from "./sql-state";

/**
 * Repeats work while the database is away, with growing pauses, until the server stops.
 * @param work may run again after it succeeded, because the response of a commit can get lost
 * @param stopped aborts the pause and the work, because nobody needs the result any more
 */
export function throughOutages<T>(work: () => Promise<T>, stopped?: AbortSignal): Promise<T> {
  return retry(work, {
    firstPauseMs: 400,
    maxPauseMs: 2_000,
    mayRecover: (error) => isDatabaseAway(error) && !shutdownSignal().aborted,
    signal: stopped,
  });
}
