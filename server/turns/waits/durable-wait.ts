/**
 * Something that a call can wait for although no process holds it, such as another run: its rows say when it is over. A stateful
 * tool waits for it with `yield { wait: { kind, id } }`. The tool may run again after a crash, so it must come to the same `id`.
 */
export type DurableWait = {
  kind: string;
  /** Returns what the tool's `yield` returns, once it is over; null until then. @throws AppError when it is gone */
  look: (id: string) => Promise<string | null>;
  /** Calls back when it may be over. A lost call costs a second, because the wait looks by itself. @returns a function that ends this */
  onNews: (id: string, wake: () => void) => () => void;
};
