import "server-only";
import { LRUCache } from "lru-cache";
import { processWide } from "@/server/platform/process-wide";
import { onSignal } from "@/server/platform/signals/bus";

/** From this age on, a caller gets the cached value and starts a refresh in the background. */
const freshMs = 5_000;
/** An entry of this age is never used. */
const lifeMs = 10_000;
const maxEntries = 10_000;

type Entry = { value: Promise<unknown>; readAt: number; isBeingReadAgain: boolean };
type ActorCache = LRUCache<string, Entry>;

const entries = () =>
  processWide("auth.actors", () => {
    const cache = new LRUCache<string, Entry>({ max: maxEntries });
    // Revoking a key or changing a member sends the config signal, so every replica clears its cache.
    onSignal("config", () => cache.clear());
    onSignal("access", () => cache.clear());
    return cache;
  });

/**
 * Caches the row of a key or a member for at most ten seconds, because the call path must not pay a query each time.
 * Entries in use are refreshed in the background, so that no caller waits. Callers during the first query share that
 * query. Missing rows are not cached.
 */
export function rememberActor<T>(name: string, load: () => Promise<T | null>): Promise<T | null> {
  const cache = entries();
  const found = cache.get(name);
  const age = found ? Date.now() - found.readAt : Number.POSITIVE_INFINITY;
  if (!found || age >= lifeMs) return reloadActor(cache, name, load);
  if (age >= freshMs && !found.isBeingReadAgain) {
    found.isBeingReadAgain = true;
    void refreshActor(cache, name, found, load);
  }
  return found.value as Promise<T | null>;
}

function reloadActor<T>(cache: ActorCache, name: string, load: () => Promise<T | null>): Promise<T | null> {
  // The entry is set before the query ends: a signal during the query removes the entry, and nothing sets it again.
  const value = load();
  const entry: Entry = { value, readAt: Date.now(), isBeingReadAgain: false };
  const forget = () => {
    if (cache.get(name) === entry) cache.delete(name);
  };
  cache.set(name, entry);
  value.then((loaded) => loaded === null && forget(), forget);
  return value;
}

/** Refreshes an entry. A failed query keeps the entry; when the entry expires, the next caller queries and gets the error. */
async function refreshActor(cache: ActorCache, name: string, entry: Entry, load: () => Promise<unknown>): Promise<void> {
  const readAt = Date.now();
  try {
    const loaded = await load();
    // A signal during the query cleared the cache, and the loaded value may already be outdated.
    if (cache.get(name) !== entry) return;
    if (loaded === null) cache.delete(name);
    else cache.set(name, { value: Promise.resolve(loaded), readAt, isBeingReadAgain: false });
  } catch {
    entry.isBeingReadAgain = false;
  }
}

/** Clears the cache of the process that made a change; other replicas clear theirs at the signal. */
export function forgetActors(): void {
  entries().clear();
}
