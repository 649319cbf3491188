/** Tests whether a path, given as its names, leads to a place of the table. */
export type PathTable = (names: readonly string[]) => boolean;

type Row = { before: readonly string[]; isFolder: boolean };

/**
 * Compiles a table of places. Each row is the end of a path: `.envrc`, `.vscode/tasks.json`. A row that ends with `/`
 * stands for a folder and everything in it, `*` for one folder, `**` for any number of folders. Rows are indexed by
 * their last name, so the cost of a look-up does not grow with the table.
 */
export function compilePathTable(rows: readonly string[]): PathTable {
  const byName = new Map<string, Row[]>();
  for (const row of rows) {
    const isFolder = row.endsWith("/");
    const names = row.split("/").filter((name) => name !== "");
    const last = names.pop() ?? "";
    byName.set(last, [...(byName.get(last) ?? []), { before: names, isFolder }]);
  }
  return (names) => {
    for (let at = names.length - 1; at >= 0; at -= 1) {
      const isLast = at === names.length - 1;
      const found = byName.get(names[at] ?? "");
      if (found?.some(({ before, isFolder }) => (isFolder || isLast) && precede(before, before.length, names, at))) return true;
    }
    return false;
  };
}

/** Returns whether the first `count` wanted names stand directly before position `end` of a path. */
function precede(wanted: readonly string[], count: number, names: readonly string[], end: number): boolean {
  if (count === 0) return true;
  const last = wanted[count - 1];
  if (last === "**") {
    for (let at = end; at >= 0; at -= 1) if (precede(wanted, count - 1, names, at)) return true;
    return false;
  }
  if (end === 0 || (last !== "*" && names[end - 1] !== last)) return false;
  return precede(wanted, count - 1, names, end - 1);
}
