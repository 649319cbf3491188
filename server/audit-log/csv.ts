/** Formats one line of CSV as in RFC 4180, with its line end. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(harmless(cell ?? ""))).join(",")}\r\n`;
}

/**
 * Puts an apostrophe in front of a cell that begins like a formula, because a spreadsheet would run the formula. Parts of
 * the audit come from models and strangers.
 */
function harmless(cell: string): string {
  return /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell) ? `'${cell}` : cell;
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
