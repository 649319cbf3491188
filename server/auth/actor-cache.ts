import "server-only";
import { onSignal } from "@/server/platform/bus";
import { processWide } from "@/server/platform/process-wide";

/** From this age on, whoever asks sets off another reading and takes what is remembered meanwhile. */
const freshMs = 5_000;
/** Nothing older than this is ever taken. */
const lifeMs = 10_000;
const mostEntries = 10_000;

type Entry = { value: Promise<unknown>; readAt: number; isBeingReadAgain: boolean };

const entries = () =>
  processWide("auth.actors", () => {
    const cache = new Map<string, Entry>();
    // Revoking a key or changing a member is a change of configuration, so every replica hears of it.
    onSignal("config", () => cache.clear());
    return cache;
  });

/**
 * Remembers for at most ten seconds what the database says about a key or a member, because the call path must not pay a
 * query each time. What is used goes on being read again behind the backs of its callers, so that none of them waits.
 * Callers that arrive while it is being read for the first time share one query. What is not there is not remembered.
 */
export function rememberActor<T>(name: string, load: () => Promise<T | null>): Promise<T | null> {
  const cache = entries();
  const found = cache.get(name);
  const age = found ? Date.now() - found.readAt : Number.POSITIVE_INFINITY;
  if (!found || age >= lifeMs) return readAnew(cache, name, load);
  if (age >= freshMs && !found.isBeingReadAgain) {
    found.isBeingReadAgain = true;
    void readBehind(cache, name, found, load);
  }
  return found.value as Promise<T | null>;
}

function readAnew<T>(cache: Map<string, Entry>, name: string, load: () => Promise<T | null>): Promise<T | null> {
  // Reading may outlast a signal that clears the cache; the entry is gone by then and stays gone.
  const value = load();
  const entry: Entry = { value, readAt: Date.now(), isBeingReadAgain: false };
  const forget = () => {
    if (cache.get(name) === entry) cache.delete(name);
  };
  if (cache.size >= mostEntries) cache.clear();
  cache.set(name, entry);
  value.then((loaded) => loaded === null && forget(), forget);
  return value;
}

/** A failure changes nothing: when the entry has become too old, a caller reads it and hears why it cannot. */
async function readBehind(cache: Map<string, Entry>, name: string, entry: Entry, load: () => Promise<unknown>): Promise<void> {
  const readAt = Date.now();
  try {
    const loaded = await load();
    // A signal in between may mean that what was read is old already.
    if (cache.get(name) !== entry) return;
    if (loaded === null) cache.delete(name);
    else cache.set(name, { value: Promise.resolve(loaded), readAt, isBeingReadAgain: false });
  } catch {
    entry.isBeingReadAgain = false;
  }
}

/** Forgets at once, for the process that made the change; the others hear the signal a moment later. */
export function forgetActors(): void {
  entries().clear();
}
