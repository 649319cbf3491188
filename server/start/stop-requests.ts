import "server-only";

/** Ctrl-C in a terminal may arrive several times at once: from the terminal, from npm and from whoever started us. */
const sameRequestMs = 500;

/**
 * Listens for being asked to stop: by a signal, or by the end of the process that started us (whose end we see even when
 * it was killed, because the channel to it closes).
 *
 * @param insist is called when somebody asks again
 */
export function listenForStopRequests(insist: () => void): { readonly isRequested: boolean; requested: Promise<void> } {
  let since: number | null = null;
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = () => {
    if (since === null) {
      since = Date.now();
      resolve();
    } else if (Date.now() - since > sameRequestMs) {
      insist();
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, ask);
  if (process.send) process.once("disconnect", ask);
  return {
    get isRequested() {
      return since !== null;
    },
    requested: promise,
  };
}
