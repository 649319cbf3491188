import { AppError } from "@/server/platform/errors";
import { type MatchStrategy, reindent, SearchedLines } from "../find-lines";
import type { Hunk } from "./parse-patch";

/** Bounds the time of a search for lines. */
const maxLines = 200_000;

/** A text as lines, each with the ending that it has in the file. */
type Line = { text: string; ending: "" | "\n" | "\r\n" };

/**
 * Applies the hunks of one file in order. Lines that a hunk keeps stay as they are in the file, and new lines get the
 * ending of the lines around them. `reindented` are new lines that got the indentation of their place.
 * @throws AppError `not_found` or `conflict` that names the hunk, its first line and what to send instead
 */
export function applyHunks(
  path: string,
  before: string,
  hunks: readonly Hunk[],
): { after: string; strategies: MatchStrategy[]; reindented: string[] } {
  const lines = splitLines(path, before);
  const searched = new SearchedLines(lines.map(({ text }) => text));
  const usual = lines.length > 0 && lines.every(({ ending }) => ending !== "\n") ? "\r\n" : "\n";
  const after: Line[] = [];
  const strategies: MatchStrategy[] = [];
  const reindented: string[] = [];
  let cursor = 0;
  for (const [index, hunk] of hunks.entries()) {
    const { at, strategy } = placeOf(searched, hunk, cursor, `Hunk ${index + 1} of ${path}`);
    strategies.push(strategy);
    after.push(...lines.slice(cursor, at));
    const old = hunk.lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
    const indented =
      strategy === "exact" || strategy === "trailing_space"
        ? (line: string) => line
        : reindent(
            old,
            lines.slice(at, at + old.length).map(({ text }) => text),
          );
    cursor = at;
    for (const { sign, text } of hunk.lines) {
      const here = lines[cursor];
      if (sign === "+") {
        const written = indented(text);
        if (written !== text) reindented.push(written);
        after.push({ text: written, ending: lines[cursor - 1]?.ending || here?.ending || usual });
      } else {
        if (sign === " " && here) after.push(here);
        cursor += 1;
      }
    }
  }
  after.push(...lines.slice(cursor));
  return { after: joinLines(after, usual, lines.at(-1)?.ending ?? usual), strategies, reindented };
}

function placeOf(searched: SearchedLines, hunk: Hunk, cursor: number, name: string): { at: number; strategy: MatchStrategy } {
  let from = cursor;
  for (const anchor of hunk.anchors) {
    const { places } = searched.find([anchor], from);
    const [first] = places;
    if (first === undefined) {
      throw new AppError(
        "not_found",
        `${name} begins below \`${anchor.slice(0, 200)}\`, and no such line follows line ${from}. ${readAgain}`,
      );
    }
    from = first + 1;
  }
  const old = hunk.lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
  const end = searched.lines.length - old.length;
  if (old.length === 0) return { at: hunk.isAtEnd || hunk.anchors.length === 0 ? searched.lines.length : from, strategy: "exact" };
  const { strategy, places } = searched.find(old, from);
  if (hunk.isAtEnd && places.includes(end)) return { at: end, strategy };
  const [first, ...others] = places;
  if (first === undefined) throw new AppError("not_found", `${name} was not found: ${whyMissing(searched, old, from)}`);
  // An anchor names the place, so the first one below it is meant.
  if (others.length > 0 && hunk.anchors.length === 0) {
    const at = places.slice(0, 5).map((place) => place + 1);
    throw new AppError(
      "conflict",
      `${name} fits at several places (lines ${at.join(", ")}${places.length > 5 ? " and more" : ""}). Send more lines around it, or a line above it after @@.`,
    );
  }
  return { at: first, strategy };
}

const readAgain = "Read the file again and copy its lines.";

function whyMissing(searched: SearchedLines, old: readonly string[], from: number): string {
  if (from > 0 && searched.find(old).places.length > 0) {
    return "its lines stand above those of the hunk before it. Send the hunks in the order of the file.";
  }
  const wrong = old.slice(0, 50).findIndex((line) => line.trim() !== "" && searched.find([line]).places.length === 0);
  const line = old[wrong];
  return line === undefined
    ? `its lines do not follow one another in the file. ${readAgain}`
    : `no line of the file is \`${line.slice(0, 200)}\`. ${readAgain}`;
}

function splitLines(path: string, text: string): Line[] {
  const pieces = text.split("\n");
  if (pieces.length > maxLines) {
    throw new AppError("too_large", `${path} has more than ${maxLines.toLocaleString("en")} lines. Change it with edit_file or a command.`);
  }
  const last = pieces.pop() ?? "";
  const lines = pieces.map((piece): Line => {
    return piece.endsWith("\r") ? { text: piece.slice(0, -1), ending: "\r\n" } : { text: piece, ending: "\n" };
  });
  return last === "" ? lines : [...lines, { text: last, ending: "" }];
}

/** Joins lines. The end of the file keeps or omits its line break as before, and every other line has one. */
function joinLines(lines: readonly Line[], usual: "\n" | "\r\n", last: Line["ending"]): string {
  return lines.map(({ text, ending }, index) => text + (index === lines.length - 1 ? last && (ending || usual) : ending || usual)).join("");
}
