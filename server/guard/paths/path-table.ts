import { globFits, withoutBrackets } from "./glob";

/** Tests whether a path, given as its names, leads to a place of the table. */
export type PathTable = (names: readonly string[]) => boolean;

type Row = { before: readonly string[]; isFolder: boolean };

/**
 * Compiles a table of places. Each row is the end of a path: `.envrc`, `.vscode/tasks.json`. A row that ends with `/`
 * stands for a folder and everything in it, `*` for one folder, `**` for any number of folders. Rows are indexed by
 * their last name, so the cost of a look-up without a glob does not grow with the table.
 */
export function compilePathTable(rows: readonly string[]): PathTable {
  const byName = new Map<string, Row[]>();
  for (const row of rows) {
    const { names, isFolder } = segmentsOf(row);
    const last = names.at(-1) ?? "";
    byName.set(last, [...(byName.get(last) ?? []), { before: names.slice(0, -1), isFolder }]);
  }
  const nested = rows.map(segmentsOf).filter(({ names }) => names.length > 1 && !names.includes("**"));
  return (names) => {
    for (let at = names.length - 1; at >= 0; at -= 1) {
      const isLast = at === names.length - 1;
      const found = byName.get(names[at] ?? "");
      if (found?.some(({ before, isFolder }) => (isFolder || isLast) && precede(before, before.length, names, at))) return true;
    }
    return names.some(isGlob) && nested.some((row) => mayMatch(row, names));
  };
}

/** Compiles the folders that hold the places of a table: `.vscode` for `.vscode/tasks.json`. */
export function compileHolderTable(rows: readonly string[]): PathTable {
  const holders = rows.flatMap((row) => {
    const { names } = segmentsOf(row);
    const fixed = names.includes("**") ? names.slice(0, names.indexOf("**") + 1) : names;
    return fixed.slice(0, -1).map((_name, at) => fixed.slice(0, at + 1).join("/"));
  });
  return compilePathTable([...new Set(holders)]);
}

type Segments = { names: readonly string[]; isFolder: boolean };

function segmentsOf(row: string): Segments {
  return { names: row.split("/").filter((name) => name !== ""), isFolder: row.endsWith("/") };
}

const isGlob = (name: string): boolean => /[*?[]/.test(name) && name !== "**";

/** Returns whether a path with a glob below the first folder of a row may name the row's place: `.vscode/t*.json`. */
function mayMatch({ names: wanted, isFolder }: Segments, names: readonly string[]): boolean {
  const start = names.indexOf(wanted[0] ?? "");
  if (start < 0 || (!isFolder && names.length - start !== wanted.length) || names.length - start < wanted.length) return false;
  return wanted.every((name, at) => {
    const given = names[start + at] ?? "";
    return given === name || name === "*" || (isGlob(given) && globFits(withoutBrackets(given), name));
  });
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
