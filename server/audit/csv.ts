/** One line of CSV as RFC 4180 has it, with its line end. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(harmless(cell ?? ""))).join(",")}\r\n`;
}

/**
 * A spreadsheet runs a cell that begins like a formula, and what stands in the audit was partly written by models and
 * strangers. An apostrophe in front makes it a text.
 */
function harmless(cell: string): string {
  return /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell) ? `'${cell}` : cell;
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
