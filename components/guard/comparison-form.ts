import type { Comparison, ComparisonOperator } from "@/contracts/rule-conditions";

/** A comparison as its row of fields holds it. */
export type ComparisonForm = { parameter: string; operator: ComparisonOperator; value: string };

export const emptyComparison: ComparisonForm = { parameter: "", operator: "=", value: "" };

export function takesValue(operator: ComparisonOperator): boolean {
  return operator !== "exists" && operator !== "not exists";
}

/** A comparison in its fields; a text that would be read as something else stands in quotes. */
export function comparisonFormOf(comparison: Comparison): ComparisonForm {
  const { parameter, operator } = comparison;
  if (!("value" in comparison)) return { parameter, operator, value: "" };
  const { value } = comparison;
  return {
    parameter,
    operator,
    value: Array.isArray(value) ? value.map((member) => written(member, true)).join(", ") : written(value, false),
  };
}

function written(value: string | number | boolean | null, inList: boolean): string {
  if (typeof value !== "string") return String(value);
  const isPlain = scalarOf(value) === value && value.trim() === value && value !== "" && !(inList && /[,"]/.test(value));
  return isPlain ? value : JSON.stringify(value);
}

/** What the fields stand for, to be checked against the contract: numbers, true, false and null are read as such. */
export function comparisonOf({ parameter, operator, value }: ComparisonForm): Record<string, unknown> {
  if (!takesValue(operator)) return { parameter, operator };
  if (operator !== "in" && operator !== "not in") return { parameter, operator, value: scalarOf(value.trim()) };
  const members = membersOf(value).map(scalarOf);
  const areNumbers = members.every((member) => typeof member === "number");
  return {
    parameter,
    operator,
    value: areNumbers ? members : members.map((member) => (typeof member === "string" ? member : String(member))),
  };
}

function scalarOf(text: string): string | number | boolean | null {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (/^".*"$/s.test(text)) {
    try {
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed === "string") return parsed;
    } catch {
      return text;
    }
  }
  return text;
}

/** The members of a list with commas between them; a member in quotes may have a comma itself. */
function membersOf(list: string): string[] {
  const members = list.match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  return members.map((member) => member.trim()).filter((member) => member !== "");
}
