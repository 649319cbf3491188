import { z } from "zod";

const prototypeKey = "__proto__";

/**
 * The same schema, refusing a member called `__proto__` wherever it stands: records of any names would leave it out without
 * a word, and what was sent would not be what is kept.
 */
export function withoutPrototypeKeys<Schema extends z.ZodType>(schema: Schema): Schema {
  const checked = z.preprocess((value, context) => {
    const path = placeOfPrototypeKey(value);
    if (path) context.addIssue({ code: "custom", path, message: "no member may be called __proto__", continue: false });
    return value;
  }, schema);
  // It takes and gives what the schema does.
  return checked as unknown as Schema;
}

/** Where the member stands; null where there is none. Without recursion: what is sent may be nested deeply. */
function placeOfPrototypeKey(value: unknown): PropertyKey[] | null {
  const open: { value: unknown; path: PropertyKey[] }[] = [{ value, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    const { path } = next;
    if (Object.hasOwn(next.value, prototypeKey)) return [...path, prototypeKey];
    const isList = Array.isArray(next.value);
    for (const [name, member] of Object.entries(next.value)) {
      if (typeof member === "object" && member !== null) open.push({ value: member, path: [...path, isList ? Number(name) : name] });
    }
  }
  return null;
}
