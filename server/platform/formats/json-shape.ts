/** The most levels of arrays and objects in a model's arguments; a limit is needed because recursion must end. */
export const maxArgumentDepth = 64;

/** The most levels in a request body: the deepest arguments and their envelope fit. */
export const maxBodyDepth = 128;

/**
 * Returns a parsed JSON value's depth (0 for a plain value), whether any object has the key `__proto__` (some code keeps
 * this key, some drops it), and whether a number is inexact. Walks without recursion, so that no input can exhaust the
 * stack.
 */
export function inspectJson(value: unknown): { depth: number; hasPrototypeKey: boolean; hasInexactNumber: boolean } {
  let depth = 0;
  let hasPrototypeKey = false;
  let hasInexactNumber = false;
  let level = [value].filter(isContainer);
  while (level.length > 0) {
    depth += 1;
    const next: object[] = [];
    for (const container of level) {
      hasPrototypeKey ||= Object.hasOwn(container, "__proto__");
      for (const member of Object.values(container)) {
        if (isContainer(member)) next.push(member);
        else hasInexactNumber ||= typeof member === "number" && !Number.isFinite(member);
      }
    }
    level = next;
  }
  return { depth, hasPrototypeKey, hasInexactNumber };
}

/** Returns the path of the outermost `__proto__` key in a parsed JSON value; null when there is none. */
export function placeOfPrototypeKey(value: unknown): string[] | null {
  let level = [{ value, path: [] as string[] }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { value: container, path } of level) {
      if (!isContainer(container)) continue;
      if (Object.hasOwn(container, "__proto__")) return [...path, "__proto__"];
      for (const [name, member] of Object.entries(container)) if (isContainer(member)) next.push({ value: member, path: [...path, name] });
    }
    level = next;
  }
  return null;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
