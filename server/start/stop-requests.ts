import "server-only";

/** Signals within this time count as one, because a single Ctrl-C may arrive from the terminal, npm and the parent. */
const sameRequestMs = 500;

export type StopRequests = {
  readonly isRequested: boolean;
  /** Resolves at the first request. */
  requested: Promise<void>;
  /** Requests a stop from inside the process. */
  request: () => void;
};

/**
 * Listens for requests to stop: signals, and the end of the parent process. The parent's end is noticed even when the
 * parent was killed, because the IPC channel closes.
 *
 * @param insist is called at a second request
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
