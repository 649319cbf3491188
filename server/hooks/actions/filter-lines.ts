import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { parseJsonText } from "../json-walk";
import { isFound, makeValueBudget, maxTextChars, textPattern } from "../text-patterns";

/** Members that hold a program's output, which is filtered as lines even when it has only one line. */
const outputMembers = new Set(["stdout", "stderr"]);

/**
 * Returns a function that leaves lines out of a result. A text that is JSON stays JSON: its members are filtered, such as
 * `stdout` and `stderr` of a shell.
 * @throws Error for a pattern that cannot be used
 */
export function lineFilter({ pattern: source, keep }: { pattern: string; keep: boolean }): (value: JsonObject) => JsonObject {
  const pattern = textPattern(source);
  return (value) => {
    const budget = makeValueBudget();
    let room = maxTextChars;
    // A line that takes too long to search (`isFound` is null) is left out, whether matching lines are kept or dropped.
    const stays = (line: string): boolean => {
      room -= line.length + 1;
      return room >= -1 && isFound(pattern, line, budget) === keep;
    };
    const linesOf = (text: string): string => text.split("\n").filter(stays).join("\n");

    function filtered(member: Json, name: string | null): Json | undefined {
      if (typeof member === "string" && (member.includes("\n") || (name !== null && outputMembers.has(name)))) return linesOf(member);
      if (Array.isArray(member)) return member.map((element) => filtered(element, null)).filter((element) => element !== undefined);
      if (isJsonObject(member)) return ofObject(member);
      // With `keep`, a single value always stays, because it is no line. Otherwise a matching value goes, as the line
      // `"name": value` of pretty-printed JSON would.
      const printed = name === null ? String(member) : `${JSON.stringify(name)}: ${JSON.stringify(member)}`;
      return keep || (stays(printed) && (typeof member !== "string" || stays(member))) ? member : undefined;
    }

    function ofObject(object: JsonObject): JsonObject {
      const members: [string, Json][] = [];
      for (const [name, member] of Object.entries(object)) {
        const isNamed = !keep && typeof member === "object" && member !== null && !stays(`${JSON.stringify(name)}:`);
        const left = isNamed ? undefined : filtered(member, name);
        if (left !== undefined) members.push([name, left]);
      }
      return Object.fromEntries(members);
    }

    const { text, ...others } = value;
    if (typeof text !== "string") return ofObject(value);
    const inside = parseJsonText(text);
    const left = inside === undefined ? linesOf(text) : JSON.stringify(filtered(inside, null) ?? null);
    return { text: left, ...ofObject(others) };
  };
}
