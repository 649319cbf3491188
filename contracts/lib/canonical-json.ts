/**
 * Returns JSON with sorted keys and without white space (the idea of RFC 8785), so that equal values give equal bytes.
 * Leaves out `undefined` members, as JSON.stringify does.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    member && typeof member === "object" && !Array.isArray(member) ? inOrder(member) : member,
  );
}

function inOrder(object: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(object);
  if (keys.every((key, place) => place === 0 || (keys[place - 1] ?? "") < key)) return object;
  return Object.fromEntries(keys.sort().map((key) => [key, object[key]]));
}
