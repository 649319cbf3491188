/** What a sed script does beyond editing text; "unclear" when it cannot be read. */
export type SedDanger = "runs" | "writes" | "reads" | "unclear";

const severity: Record<SedDanger, number> = { runs: 4, writes: 3, unclear: 2, reads: 1 };

/** `e`, alone or among the flags of a substitution. */
const mayRun = /(?<=(?:^|[^A-Za-z])[\dgimpIM]{0,8})e(?![A-Za-z])/;

/** A longer script is not read. */
const maxChars = 10_000;

/** Behind a label and a blank, some seds go on with the next command; for others, all of the line is the label. */
const shortLabel = /[^\s;}]*/y;
const longLabel = /[^\n]*/y;
/** What stands between the parts of a command, and in them; each as many as there are. */
const between = /[\s;}]*/y;
const blanks = /[ \t]*/y;
const negations = /[ \t!]*/y;
const counts = /[ \t\d]*/y;
const steps = /[\d~]*/y;
const modifiers = /[IM]*/y;

/** Reads a sed script command by command, in both ways where seds differ in where a label ends. */
export function dangerInSed(script: string): SedDanger | null {
  if (script.length > maxChars) return /[ew]/.test(script) ? "runs" : "unclear";
  const danger = dangerWith(script, shortLabel);
  if (danger === "runs" || !script.includes("\n")) return danger;
  return worseOf(danger, dangerWith(script, longLabel));
}

/** Files that a sed script reads or writes. */
export function filesInSed(script: string): string[] {
  if (script.length > maxChars || !/[rRwW]/.test(script)) return [];
  const files = new Set<string>();
  for (const inLabel of [shortLabel, longLabel]) {
    const looked = { to: 0 };
    for (let at = 0; at < script.length; ) {
      const step = commandAt(script, at, inLabel, looked);
      if (step === null) break;
      if (step.file) files.add(step.file);
      at = Math.max(step.end, at + 1);
    }
  }
  return [...files];
}

function worseOf(one: SedDanger | null, other: SedDanger | null): SedDanger | null {
  if (one === null || other === null) return one ?? other;
  return severity[one] > severity[other] ? one : other;
}

function dangerWith(script: string, inLabel: RegExp): SedDanger | null {
  let worst: SedDanger | null = null;
  const looked = { to: 0 };
  let at = 0;
  while (at < script.length) {
    const step = commandAt(script, at, inLabel, looked);
    // What cannot be read is taken for the worst that it could be.
    if (step === null) return mayRun.test(script) ? "runs" : worst === "writes" ? "writes" : "unclear";
    worst = worseOf(worst, step.danger);
    at = Math.max(step.end, at + 1);
  }
  return worst;
}

type Step = { end: number; danger: SedDanger | null; file?: string };

/** Up to where the rest of a line was looked through, and nothing found that runs or writes. */
type Looked = { to: number };

function commandAt(script: string, start: number, inLabel: RegExp, looked: Looked): Step | null {
  let at = skip(script, start, between);
  for (let addresses = 0; addresses < 2; addresses += 1) {
    const end = pastAddress(script, at);
    if (end < 0) return null;
    at = skip(script, end, blanks);
    if (script.charAt(at) !== ",") break;
    at = skip(script, at + 1, blanks);
  }
  at = skip(script, at, negations);
  const restOfLine = (danger: SedDanger | null): Step => {
    const end = endOfLine(script, at);
    return danger === "writes" || danger === "reads" ? { end, danger, file: script.slice(at + 1, end).trim() } : { end, danger };
  };
  switch (script.charAt(at)) {
    case "s":
      return substitution(script, at, looked);
    case "y": {
      const end = pastParts(script, at + 1, 2);
      return end < 0 ? null : { end, danger: null };
    }
    case "e":
      return restOfLine("runs");
    case "w":
    case "W":
      return restOfLine("writes");
    case "r":
    case "R":
      return restOfLine("reads");
    case "a":
    case "i":
    case "c":
      return { end: endOfText(script, at), danger: null };
    case "#":
      return restOfLine(null);
    case ":":
    case "b":
    case "t":
    case "T":
      return { end: skip(script, skip(script, at + 1, blanks), inLabel), danger: null };
    case "{":
    case "":
      return { end: at + 1, danger: null };
    default:
      return /[=dDgGhHlnNpPqQxzFLv]/.test(script.charAt(at)) ? { end: skip(script, at + 1, counts), danger: null } : null;
  }
}

function substitution(script: string, at: number, looked: Looked): Step | null {
  const plain = pastParts(script, at + 1, 2);
  const pattern = pastPattern(script, at + 1);
  const end = pattern < 0 ? -1 : pastParts(script, pattern - 1, 1);
  // Where a class holds the sign that ends the pattern, `s/[/]/#/e`, seds differ in where that is.
  if (end !== plain && mayRunBehind(script, plain, looked)) return { end: script.length, danger: "runs" };
  if (end < 0) return null;
  let flag = end;
  let danger: SedDanger | null = null;
  while (flag < script.length && /[A-Za-z0-9]/.test(script.charAt(flag))) {
    const letter = script.charAt(flag);
    if (letter === "e") danger = "runs";
    if (letter === "w") {
      const line = endOfLine(script, flag);
      return { end: line, danger: danger ?? "writes", file: script.slice(flag + 1, line).trim() };
    }
    flag += 1;
  }
  return { end: flag, danger };
}

/** Whether an `e` or a `w` stands in the rest of a line. */
function mayRunBehind(script: string, at: number, looked: Looked): boolean {
  if (at < looked.to) return false;
  const end = endOfLine(script, Math.max(at, 0));
  if (/[ew]/.test(script.slice(at, end))) return true;
  looked.to = end;
  return false;
}

/** Past an address such as 3, $, /x/I, \,x,M or 0~2; the same place when there is none; -1 when it has no end. */
function pastAddress(script: string, start: number): number {
  const first = script.charAt(start);
  if (/[\d$+~]/.test(first)) return skip(script, start + 1, steps);
  const open = first === "\\" ? start + 1 : start;
  if (first !== "/" && first !== "\\") return start;
  const end = pastPattern(script, open);
  return end < 0 ? -1 : skip(script, end, modifiers);
}

/** Past a pattern that ends with the character at `start`, which escapes and classes of characters may contain: `/[/]/`. */
function pastPattern(script: string, start: number): number {
  const delimiter = script.charAt(start);
  if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return -1;
  for (let at = start + 1; at < script.length; at += 1) {
    const character = script.charAt(at);
    if (character === "\\") at += 1;
    else if (character === delimiter) return at + 1;
    else if (character === "[") {
      const end = pastClass(script, at);
      // A class without an end is a mistake for every sed.
      if (end < 0) return -1;
      at = end - 1;
    }
  }
  return -1;
}

/** Past a class of characters, `[^]a[:digit:]]`; -1 when its line has no end of it. */
function pastClass(script: string, start: number): number {
  let at = start + 1;
  if (script.charAt(at) === "^") at += 1;
  if (script.charAt(at) === "]") at += 1;
  for (; at < script.length && script.charAt(at) !== "\n"; at += 1) {
    if (script.charAt(at) === "]") return at + 1;
    const [named] = script.charAt(at) === "[" ? (/^\[([:.=]).{0,40}?\1\]/s.exec(script.slice(at, at + 50)) ?? []) : [];
    if (named) at += named.length - 1;
  }
  return -1;
}

/** Past `count` parts that end with the character at `start`, which escapes may contain. */
function pastParts(script: string, start: number, count: number): number {
  const delimiter = script.charAt(start);
  if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return -1;
  let left = count;
  for (let at = start + 1; at < script.length; at += 1) {
    const character = script.charAt(at);
    if (character === "\\") at += 1;
    else if (character === delimiter) {
      left -= 1;
      if (left === 0) return at + 1;
    }
  }
  return -1;
}

/** Past the text of a, i or c: to a line end that has no backslash before it. */
function endOfText(script: string, start: number): number {
  let at = endOfLine(script, start);
  while (at < script.length && script.charAt(at - 1) === "\\") at = endOfLine(script, at + 1);
  return at;
}

function endOfLine(script: string, at: number): number {
  const end = script.indexOf("\n", at);
  return end < 0 ? script.length : end;
}

function skip(script: string, start: number, over: RegExp): number {
  over.lastIndex = start;
  over.test(script);
  return over.lastIndex;
}
