import os from "node:os";

/** One line of the table: what was measured, beside what, and what it should be. */
export type Line = {
  measured: string;
  ours: string;
  anchor?: string;
  ratio?: number;
  target?: string;
  /** Absent when there is nothing to meet. */
  isMet?: boolean;
};

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString("en")} /s`;
export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

const head = ["measured", "Handrail", "anchor", "ratio", "target", "met"];

/** The lines as a table that reads well in a terminal and is a table in Markdown too. */
export function table(lines: Line[]): string {
  const rows = lines.map(({ measured, ours, anchor = "", ratio, target = "", isMet }) => [
    measured,
    ours,
    anchor,
    ratio === undefined ? "" : ratio.toFixed(2),
    target,
    isMet === undefined ? "" : isMet ? "yes" : "NO",
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const asRow = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [asRow(head), asRow(widths.map((width) => "-".repeat(width))), ...rows.map(asRow)].join("\n");
}

/** The machine and what else it was doing: no figure means anything without them. */
export function machine(): string {
  const cores = os.cpus();
  const load = os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(" ");
  return `${new Date().toISOString().slice(0, 16)}Z, Node ${process.version}, ${cores.length} cores (${cores[0]?.model.trim()}), load before ${load}`;
}
