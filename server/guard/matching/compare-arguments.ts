import type { Json, JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/decisions/decision";
import type { Comparison } from "@/contracts/guard/rule-conditions";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { valuesAt } from "../call/argument-values";
import { capital, excerpt } from "../excerpt";
import { no, type Ternary, testEachValue, unknown, yes } from "./ternary";

/** Tests a comparison on a call's arguments; unknown when a value is missing or of another kind. */
export function compareArguments(comparison: Comparison, args: JsonObject, verdict: Verdict): Ternary {
  const { parameter } = comparison;
  const found = valuesAt(args, parameter);
  if (!("value" in comparison)) {
    const exists = "values" in found && found.values.length > 0;
    const why = () => `The call has ${exists ? "an" : "no"} argument \`${parameter}\`.`;
    return exists === (comparison.operator === "exists") ? yes(why) : no(why);
  }
  if ("missing" in found) return unknown(() => `${capital(found.missing)}, which ${inWords(comparison)} needs.`);
  return testEachValue(found.values, {
    every: verdict === "allow",
    none: () => `There is nothing at \`${parameter}\`.`,
    test: ({ value }) => compare(comparison, value),
  });
}

type ValueComparison = Extract<Comparison, { value: unknown }>;

function compare(comparison: ValueComparison, value: Json): Ternary {
  const { operator, parameter } = comparison;
  const says = (isSo: boolean): Ternary => {
    const why = () => `\`${parameter}\` is ${shown(value)}: ${inWords(comparison)} ${isSo ? "holds" : "does not hold"}.`;
    return isSo ? yes(why) : no(why);
  };
  switch (operator) {
    case "=":
    case "!=": {
      if (kindOf(value) !== kindOf(comparison.value)) return otherKind(comparison, value);
      return says((value === comparison.value) === (operator === "="));
    }
    case "in":
    case "not in": {
      const members: readonly Json[] = comparison.value;
      if (!members.some((member) => kindOf(member) === kindOf(value))) return otherKind(comparison, value);
      return says(members.includes(value) === (operator === "in"));
    }
    case ">":
    case ">=":
    case "<":
    case "<=": {
      if (typeof value !== "number") return otherKind(comparison, value);
      return says(isOrdered(value, operator, comparison.value));
    }
  }
}

function isOrdered(value: number, operator: ">" | ">=" | "<" | "<=", limit: number): boolean {
  if (operator === ">") return value > limit;
  if (operator === ">=") return value >= limit;
  return operator === "<" ? value < limit : value <= limit;
}

function otherKind(comparison: ValueComparison, value: Json): Ternary {
  // All members of a comparison's list have the same kind.
  const [kind] = [comparison.value].flat().map(kindOf);
  return unknown(
    () => `\`${comparison.parameter}\` is ${kindOf(value)}, ${shown(value)}, and ${inWords(comparison)} compares with ${kind}.`,
  );
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  const kinds: Record<string, string> = { string: "a text", number: "a number", boolean: "true or false" };
  return kinds[typeof value] ?? "an object";
}

function inWords({ parameter, operator, value }: ValueComparison): string {
  return `\`${parameter} ${operator} ${canonicalJson(value)}\``;
}

function shown(value: Json): string {
  return `\`${excerpt(canonicalJson(value))}\``;
}
