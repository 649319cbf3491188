import type { Json } from "@/contracts/common";
import { queryLimits, type ReadResult } from "../engines/engine";
import { chartOf } from "./chart";

/** Largest table that is easier to read than JSON. */
const tableRows = 20;
const tableColumns = 10;

/** Writes a result for a model: a Markdown table when it is small, else JSON, and a chart where one helps. */
export function formatResult(result: ReadResult): string {
  const { columns, rows, isCut } = result;
  if (rows.length === 0) return `The query found no rows. Its columns: ${columns.map(({ name }) => name).join(", ")}`;
  const isSmall = rows.length <= tableRows && columns.length <= tableColumns;
  const names = columns.map(({ name }) => name);
  const text = isSmall ? markdownTable(names, rows) : JSON.stringify({ columns: names, rows });
  const found = `${rows.length} ${rows.length === 1 ? "row" : "rows"}`;
  const count = isCut
    ? `The first ${found}. There are more; use WHERE, aggregate, or LIMIT with OFFSET (at most ${queryLimits.rows} rows a query).`
    : `${found}.`;
  const chart = chartOf(result);
  return [text, count, ...(chart ? [`\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\``] : [])].join("\n\n");
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
