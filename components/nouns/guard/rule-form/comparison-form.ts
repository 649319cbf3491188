import type { Comparison, ComparisonOperator } from "@/contracts/guard/rule-conditions";

/** A comparison as form values. */
export type ComparisonForm = { parameter: string; operator: ComparisonOperator; value: string };

export const emptyComparison: ComparisonForm = { parameter: "", operator: "=", value: "" };

export function takesValue(operator: ComparisonOperator): boolean {
  return operator !== "exists" && operator !== "not exists";
}

/** Converts a comparison into form values; quotes a text that would parse as another type. */
export function toComparisonForm(comparison: Comparison): ComparisonForm {
  const { parameter, operator } = comparison;
  if (!("value" in comparison)) return { parameter, operator, value: "" };
  const { value } = comparison;
  return {
    parameter,
    operator,
    value: Array.isArray(value) ? value.map((member) => writeScalar(member, true)).join(", ") : writeScalar(value, false),
  };
}

function writeScalar(value: string | number | boolean | null, inList: boolean): string {
  if (typeof value !== "string") return String(value);
  const isPlain = scalarOf(value) === value && value.trim() === value && value !== "" && !(inList && /[,"]/.test(value));
  return isPlain ? value : JSON.stringify(value);
}

/** Parses the form values for the contract: numbers, true, false and null become values. */
export function toComparison({ parameter, operator, value }: ComparisonForm): Record<string, unknown> {
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

/** Splits a list at its commas; a quoted member may contain a comma. */
function membersOf(list: string): string[] {
  const members = list.match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  return members.map((member) => member.trim()).filter((member) => member !== "");
}
