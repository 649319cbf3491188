import { bareFolderSentence, isBareFolder, normalPath } from "@/server/capabilities/files/path-argument";
import { AppError } from "@/server/platform/errors";

/** One line of a hunk: kept (" "), removed ("-") or added ("+"). */
export type HunkLine = { sign: " " | "-" | "+"; text: string };
export type Hunk = {
  /** Lines that stand above the hunk in the file, outermost first. */
  anchors: string[];
  lines: HunkLine[];
  /** The hunk ends where the file ends. */
  isAtEnd: boolean;
};

/** The change of one file by a patch. Paths are normalised, as rules and effects see them. */
export type FilePatch =
  | { kind: "add"; path: string; lines: string[] }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; moveTo: string | null; hunks: Hunk[] };

const maxFiles = 50;
// Each hunk searches its file, so their number bounds the time of a patch.
const maxHunks = 300;
const maxAnchors = 5;
const header = /^\*\*\* (Update|Add|Delete|Move) File: (.+)$/;

/**
 * Parses a patch in the V4A format: `*** Update File: a.txt`, `@@ anchor`, lines that begin with a space, "-" or "+".
 * @throws AppError `invalid` with the number of the first line that does not fit
 */
export function parsePatch(text: string): FilePatch[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const files: FilePatch[] = [];
  let current: FilePatch | null = null;
  let hunk: Hunk | null = null;
  let isEnded = false;
  for (const [index, line] of lines.entries()) {
    const wrong = (problem: string) => new AppError("invalid", `Line ${index + 1} of the patch ${problem}`);
    const trimmed = line.trim();
    if (isEnded || (current === null && (trimmed === "" || trimmed.startsWith("```") || trimmed === "*** Begin Patch"))) continue;
    if (trimmed === "*** End Patch" || (trimmed === "```" && line === "```" && index >= lines.length - 2)) {
      isEnded = true;
      continue;
    }
    const [, action, named] = header.exec(line.trimEnd()) ?? [];
    if (action !== undefined && named !== undefined) {
      if (files.length === maxFiles) throw wrong(`begins the file after the first ${maxFiles}. Send several patches.`);
      current = fileOf(action, named.trim(), wrong);
      files.push(current);
      hunk = null;
      continue;
    }
    if (current === null) {
      throw wrong('stands before the first file. Begin with "*** Update File: path", "*** Add File: path" or "*** Delete File: path".');
    }
    if (current.kind === "delete") {
      if (trimmed === "") continue;
      throw wrong('follows "*** Delete File", which takes no lines.');
    }
    if (current.kind === "add") {
      if (line.startsWith("+")) current.lines.push(line.slice(1));
      else if (trimmed !== "") throw wrong('of a new file does not begin with "+".');
      else if (index < lines.length - 1) current.lines.push("");
      continue;
    }
    const moved = /^\*\*\* Move to: (.+)$/.exec(line.trimEnd())?.[1];
    if (moved !== undefined) {
      if (current.moveTo !== null || current.hunks.length > 0) throw wrong('must follow "*** Update File" at once.');
      current.moveTo = normal(moved.trim());
      continue;
    }
    if (trimmed === "*** End of File") {
      if (!hunk) throw wrong("ends the file before its first change.");
      hunk.isAtEnd = true;
      hunk = null;
      continue;
    }
    if (line.startsWith("@@")) {
      const anchor = anchorOf(line);
      if (!hunk || hunk.lines.length > 0) {
        hunk = { anchors: [], lines: [], isAtEnd: false };
        current.hunks.push(hunk);
      }
      if (anchor !== null && hunk.anchors.push(anchor) > maxAnchors) throw wrong(`is more than ${maxAnchors} anchors (@@) of one change.`);
      continue;
    }
    if (line.startsWith("\\ No newline")) continue;
    if (line === "" && isBlankUntilNext(lines, index)) continue;
    const sign = line === "" ? " " : line[0];
    if (sign !== " " && sign !== "-" && sign !== "+") {
      throw wrong('begins with none of " ", "-", "+" and "@@". Put a space before lines that stay as they are.');
    }
    if (!hunk) {
      hunk = { anchors: [], lines: [], isAtEnd: false };
      current.hunks.push(hunk);
    }
    hunk.lines.push({ sign, text: line.slice(1) });
  }
  return checked(files);
}

function fileOf(action: string, named: string, wrong: (problem: string) => AppError): FilePatch {
  if (action === "Add") return { kind: "add", path: normal(named), lines: [] };
  if (action === "Delete") return { kind: "delete", path: normal(named) };
  if (action === "Update") return { kind: "update", path: normal(named), moveTo: null, hunks: [] };
  const [from, to, ...more] = named.split(" -> ");
  if (!from || !to || more.length > 0) throw wrong('does not fit "*** Move File: old path -> new path".');
  return { kind: "update", path: normal(from.trim()), moveTo: normal(to.trim()), hunks: [] };
}

function normal(given: string): string {
  const path = normalPath(given);
  if (isBareFolder(path)) throw new AppError("invalid", `${bareFolderSentence}.`);
  return path;
}

/** Returns the text after `@@`; null for a bare `@@` and for the line numbers of other formats, which nobody checks. */
function anchorOf(line: string): string | null {
  const text = line.replace(/^@@ ?/, "").replace(/ @@$/, "");
  if (/^-\d+(?:,\d+)? \+\d+(?:,\d+)?/.test(text.trim())) return null;
  return text.trim() === "" || text.trim() === "@@" ? null : text;
}

/** Returns whether only blank lines stand between this line and the next file or the end. */
function isBlankUntilNext(lines: readonly string[], index: number): boolean {
  const next = lines.slice(index).find((line) => line.trim() !== "");
  return next === undefined || next.startsWith("*** ") || next === "```";
}

function checked(files: FilePatch[]): FilePatch[] {
  if (files.length === 0) throw new AppError("invalid", 'The patch names no file. Begin with "*** Update File: path".');
  const hunks = files.reduce((sum, file) => sum + (file.kind === "update" ? file.hunks.length : 0), 0);
  if (hunks > maxHunks)
    throw new AppError("invalid", `The patch has ${hunks} changes, and at most ${maxHunks} are applied at once. Send several.`);
  const touched = new Set<string>();
  for (const file of files) {
    const moveTo = file.kind === "update" ? file.moveTo : null;
    for (const name of moveTo === null ? [file.path] : [file.path, moveTo]) {
      if (touched.has(name)) throw new AppError("invalid", `The patch names ${name} twice. Put all changes of a file into one section.`);
      touched.add(name);
    }
    if (file.kind !== "update") continue;
    if (file.hunks.length === 0 && moveTo === null) {
      throw new AppError("invalid", `The patch changes nothing in ${file.path}. Put lines with "-" and "+" under it.`);
    }
    for (const { lines } of file.hunks) {
      if (lines.some(({ sign }) => sign !== " ")) continue;
      throw new AppError("invalid", `A change of ${file.path} has no line with "-" or "+". Leave it out, or add one.`);
    }
  }
  return files;
}
