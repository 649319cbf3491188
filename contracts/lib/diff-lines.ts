/** A line of a diff: in both texts, only in the old one, or only in the new one; numbers start at 1. */
export type DiffLine = { kind: "same" | "removed" | "added"; text: string; oldNumber: number | null; newNumber: number | null };

/** Limit of line pairs: beyond it the changed middle counts as removed and added, because comparing takes too long. */
const maxPairs = 4_000_000;

/** Returns the line diff of two texts with the fewest changes. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, made] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < made.length && old[head] === made[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < made.length - head && old.at(-1 - tail) === made.at(-1 - tail)) tail += 1;

  const lines: DiffLine[] = [];
  let [oldNumber, newNumber] = [0, 0];
  const add = (kind: DiffLine["kind"], text: string) => {
    if (kind !== "added") oldNumber += 1;
    if (kind !== "removed") newNumber += 1;
    lines.push({ kind, text, oldNumber: kind === "added" ? null : oldNumber, newNumber: kind === "removed" ? null : newNumber });
  };
  for (const text of old.slice(0, head)) add("same", text);
  for (const { kind, text } of compareMiddle(old.slice(head, old.length - tail), made.slice(head, made.length - tail))) add(kind, text);
  for (const text of old.slice(old.length - tail)) add("same", text);
  return lines;
}

type Piece = { kind: DiffLine["kind"]; text: string };

/** Longest common subsequence, from the table of lengths. */
function compareMiddle(old: readonly string[], made: readonly string[]): Piece[] {
  const removed = (text: string): Piece => ({ kind: "removed", text });
  const added = (text: string): Piece => ({ kind: "added", text });
  if (old.length * made.length > maxPairs) return [...old.map(removed), ...made.map(added)];

  const width = made.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = made.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        old[row] === made[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pieces: Piece[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < made.length) {
    const [oldLine, newLine] = [old[row], made[column]];
    if (oldLine !== undefined && oldLine === newLine) {
      pieces.push({ kind: "same", text: oldLine });
      row += 1;
      column += 1;
    } else if (oldLine !== undefined && (newLine === undefined || at(row + 1, column) >= at(row, column + 1))) {
      pieces.push(removed(oldLine));
      row += 1;
    } else {
      pieces.push(added(newLine ?? ""));
      column += 1;
    }
  }
  return pieces;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** A run of lines to draw, or the number of hidden unchanged lines. */
export type DiffChunk = { kind: "lines"; lines: DiffLine[] } | { kind: "hidden"; count: number };

const context = 3;

/** Hides long runs of unchanged lines, except a few around each change. */
export function foldUnchanged(lines: readonly DiffLine[]): DiffChunk[] {
  const isNear = new Uint8Array(lines.length);
  for (const [place, { kind }] of lines.entries()) {
    if (kind !== "same") isNear.fill(1, Math.max(0, place - context), place + context + 1);
  }
  const chunks: DiffChunk[] = [];
  for (const [place, line] of lines.entries()) {
    const last = chunks.at(-1);
    if (isNear[place] === 1) {
      if (last?.kind === "lines") last.lines.push(line);
      else chunks.push({ kind: "lines", lines: [line] });
    } else if (last?.kind === "hidden") last.count += 1;
    else chunks.push({ kind: "hidden", count: 1 });
  }
  return chunks;
}
