/** Levels of arrays and objects that a model's arguments may have; nobody needs more, and recursion must end. */
export const maxArgumentDepth = 64;

/** Levels that the body of a request may have: room for the deepest arguments inside it. */
export const maxBodyDepth = 128;

/**
 * How deep a parsed JSON value goes (0 for a plain value), and whether any object in it has the key `__proto__`, which
 * some code keeps and some drops. Walks without recursion, so that no input can exhaust the stack.
 */
export function shapeOf(value: unknown): { depth: number; hasPrototypeKey: boolean } {
  let depth = 0;
  let hasPrototypeKey = false;
  let level = [value].filter(isContainer);
  while (level.length > 0) {
    depth += 1;
    const next: object[] = [];
    for (const container of level) {
      hasPrototypeKey ||= Object.hasOwn(container, "__proto__");
      for (const member of Object.values(container)) if (isContainer(member)) next.push(member);
    }
    level = next;
  }
  return { depth, hasPrototypeKey };
}

/** Where the first key `__proto__` that is met stands in a parsed JSON value, from the outermost level inwards; null without one. */
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
