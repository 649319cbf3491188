/** Local cache, because looking up a global symbol is slow on the path of every call. */
const found = new Map<string, unknown>();

/**
 * Returns one value for the whole process. The server bundle and Next's bundles each have their own copy of a module.
 * Therefore singletons (pool, caches, queue, MCP clients) live on `globalThis`, under a name that all copies know.
 */
export function processWide<T>(name: string, make: () => T): T {
  const known = found.get(name);
  if (known !== undefined) return known as T;
  const store = globalThis as unknown as Record<symbol, unknown>;
  const key = Symbol.for(`handrail.${name}`);
  if (!(key in store)) store[key] = make();
  found.set(name, store[key]);
  return store[key] as T;
}

/** Drops all values, so that the next test file of a shared process finds none. */
export function forgetProcess(): void {
  found.clear();
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (Symbol.keyFor(key)?.startsWith("handrail.")) delete (globalThis as unknown as Record<symbol, unknown>)[key];
  }
}
