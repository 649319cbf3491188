import type { Json } from "@/contracts/common";
import type { QueryAnswer } from "../capability";
import { queryLimits } from "../engines/engine";
import { chartConditions, chartOf } from "./chart";

/** Largest table that is easier to read than JSON. */
const tableRows = 20;
const tableColumns = 10;

/**
 * Writes a result for a model: a Markdown table when it is small, else JSON, and a chart where one says something.
 * @param chart whether the model asked for a chart, or for none
 */
export function formatResult(result: QueryAnswer, chart?: boolean): string {
  const { kind, columns, rows, isCut } = result;
  if (rows.length === 0) return `The query found no rows. Its columns: ${columns.map(({ name }) => name).join(", ")}`;
  if (kind === "explain" && columns.length === 1) return planText(result);
  const isSmall = rows.length <= tableRows && columns.length <= tableColumns;
  const names = columns.map(({ name }) => name);
  const text = isSmall ? markdownTable(names, rows) : JSON.stringify({ columns: names, rows });
  const found = `${rows.length} ${rows.length === 1 ? "row" : "rows"}`;
  const count = isCut
    ? `The first ${found}. There are more; use WHERE, aggregate, or LIMIT with OFFSET (at most ${queryLimits.rows} rows a query).`
    : `${found}.`;
  return [text, count, ...chartText(result, chart)].join("\n\n");
}

function chartText(result: QueryAnswer, chart: boolean | undefined): string[] {
  const drawn = chart === false ? null : chartOf(result, chart === true);
  if (drawn) return [`\`\`\`chart\n${JSON.stringify(drawn)}\n\`\`\``];
  return chart === true ? [`There is no chart. ${chartConditions}`] : [];
}

/** Writes a plan with its indentation, in a fence that no line of the plan closes. */
function planText({ rows, isCut }: QueryAnswer): string {
  const lines = rows.map(([line]) => String(line ?? ""));
  const longest = Math.max(2, ...(lines.join("\n").match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return [fence, ...lines, fence, ...(isCut ? ["", "These are the first lines of the plan."] : [])].join("\n");
}

/** Writes a Markdown table; cells cannot break out of their row. */
export function markdownTable(names: readonly string[], rows: readonly (readonly Json[])[]): string {
  const line = (cells: readonly Json[]) => `| ${cells.map(toCell).join(" | ")} |`;
  return [line(names), line(names.map(() => "---")), ...rows.map(line)].join("\n");
}

function toCell(value: Json): string {
  if (value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replaceAll(/\r\n|[\r\n\u2028\u2029]/g, "<br>");
}
