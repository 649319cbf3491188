import "server-only";

/** Ctrl-C in a terminal may arrive several times at once: from the terminal, from npm and from whoever started us. */
const sameRequestMs = 500;

export type StopRequests = {
  readonly isRequested: boolean;
  /** Resolves at the first request. */
  requested: Promise<void>;
  /** Asks from within. */
  request: () => void;
};

/**
 * Listens for being asked to stop: by a signal, or by the end of the process that started us (whose end we see even when
 * it was killed, because the channel to it closes).
 *
 * @param insist is called when somebody asks again
 */
export function listenForStopRequests(insist: () => void): StopRequests {
  let since: number | null = null;
  const { promise, resolve } = Promise.withResolvers<void>();
  const request = () => {
    if (since === null) {
      since = Date.now();
      resolve();
    } else if (Date.now() - since > sameRequestMs) {
      insist();
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, request);
  if (process.send) process.once("disconnect", request);
  return {
    get isRequested() {
      return since !== null;
    },
    requested: promise,
    request,
  };
}
