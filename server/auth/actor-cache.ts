import "server-only";
import { onSignal } from "@/server/platform/bus";
import { processWide } from "@/server/platform/process-wide";

const lifeMs = 10_000;
const mostEntries = 10_000;

type Entry = { value: Promise<unknown>; until: number };

const entries = () =>
  processWide("auth.actors", () => {
    const cache = new Map<string, Entry>();
    // Revoking a key or changing a member is a change of configuration, so every replica hears of it.
    onSignal("config", () => cache.clear());
    return cache;
  });

/**
 * Remembers for ten seconds what the database says about a key or a member, because the call path must not pay a query
 * each time. Callers that arrive while it is being read share one query. What is not there is not remembered.
 */
export function rememberActor<T>(name: string, load: () => Promise<T | null>): Promise<T | null> {
  const cache = entries();
  const found = cache.get(name);
  if (found && found.until > Date.now()) return found.value as Promise<T | null>;

  // Reading may outlast a signal that clears the cache; the entry is gone by then and stays gone.
  const value = load();
  const entry: Entry = { value, until: Date.now() + lifeMs };
  const forget = () => {
    if (cache.get(name) === entry) cache.delete(name);
  };
  if (cache.size >= mostEntries) cache.clear();
  cache.set(name, entry);
  value.then((loaded) => loaded === null && forget(), forget);
  return value;
}

/** Forgets at once, for the process that made the change; the others hear the signal a moment later. */
export function forgetActors(): void {
  entries().clear();
}
