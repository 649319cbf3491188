import type { Json, JsonObject } from "@/contracts/common";
import { partsOf } from "@/contracts/lib/json-pointer";

export type FoundValue = {
  /** The names and indexes that lead to the value. */
  path: readonly string[];
  value: Json;
};

/** The values of a parameter; or why they cannot be found, as part of a sentence. */
export type FoundValues = { values: readonly FoundValue[] } | { missing: string };

const everyMember = "*";
const maxValues = 1_000;

/**
 * Returns the values of a call's arguments at a name, or at a JSON pointer (RFC 6901) in which `*` stands for every
 * member of a list or an object. Only own members count, because names come from an admin and arguments from a model.
 */
export function valuesAt(args: JsonObject, parameter: string): FoundValues {
  if (!parameter.startsWith("/")) {
    if (!Object.hasOwn(args, parameter)) return { missing: `the call has no argument \`${parameter}\`` };
    return { values: [{ path: [parameter], value: args[parameter] ?? null }] };
  }
  let found: FoundValue[] = [{ path: [], value: args }];
  for (const segment of partsOf(parameter)) {
    const next: FoundValue[] = [];
    for (const { path, value } of found) {
      const members = membersAt(value, segment);
      if (members === null) {
        const holder = path.length === 0 ? "the call" : `the argument \`/${path.join("/")}\``;
        return { missing: segment === everyMember ? `${holder} is not a list or an object` : `${holder} has no member \`${segment}\`` };
      }
      for (const [name, member] of members) next.push({ path: [...path, name], value: member });
      if (next.length > maxValues) return { missing: `\`${parameter}\` stands for more than ${maxValues.toLocaleString("en")} values` };
    }
    found = next;
  }
  return { values: found };
}

function membersAt(value: Json, segment: string): [name: string, member: Json][] | null {
  if (typeof value !== "object" || value === null) return null;
  if (segment === everyMember) return Object.entries(value);
  if (!Object.hasOwn(value, segment) || (Array.isArray(value) && segment === "length")) return null;
  const member = Array.isArray(value) ? value[Number(segment)] : value[segment];
  return [[segment, member ?? null]];
}
