/** What this copy of the module has found already: looking up a global symbol is slow on the path of every call. */
const found = new Map<string, unknown>();

/**
 * One value for the whole process. The server bundle and Next's bundles each hold their own copy of a module, so what
 * must exist once (pool, caches, queue, MCP clients) hangs on `globalThis` under a name that all of them know.
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
