import { allCodes, codesOf } from "@/server/platform/char-codes";

/** So much of a command line is read, all scripts inside it together. */
const maxMarks = 2_800;
const maxScripts = 400;
/** A longer text is no command line. */
const maxChars = 128 * 1024;
/** The parser goes over a nested piece once for each level that it stands in. */
const maxNestedChars = 600_000;
const maxDepth = 40;

/**
 * How much may be read before a command line counts as too much to be understood. Marks are what a shell has to look
 * at twice: blanks, quotes, operators, expansions. Letters cost next to nothing. Who spends more gets an error, and a
 * call whose command cannot be read is denied.
 */
export class ReadingBudget {
  private marksLeft = maxMarks;
  private scriptsLeft = maxScripts;

  /** @throws Error when the text is too much */
  spendOn(text: string): void {
    this.scriptsLeft -= 1;
    if (this.scriptsLeft < 0 || text.length > maxChars) throw tooMuch();
    this.spend(marksIn(text, this.marksLeft + 1));
  }

  /** Whether a text that may hold continued lines, and is then read twice, is not too much. */
  affords(text: string): boolean {
    return this.scriptsLeft > 1 && 2 * marksIn(text, this.marksLeft) < this.marksLeft;
  }

  /** @throws Error when there are not so many marks left */
  spend(marks: number): void {
    if (marks > this.marksLeft) throw tooMuch();
    this.marksLeft -= marks;
  }
}

/** A command line that is too long, too dense or too deep. */
class TooMuchToRead extends Error {
  override name = "TooMuchToRead";
}

export function tooMuch(): Error {
  return new TooMuchToRead("it is too much to be read with certainty");
}

/** Whether a call cannot be read because its command is too much, and not because something is broken. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof Error && error.name === "TooMuchToRead";
}

/** What a character costs, by its code; letters and all beyond ASCII cost nothing. */
const costs = new Uint8Array(allCodes).fill(1, 0, 128);
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,-+%@^") costs[character.charCodeAt(0)] = 0;
// Each of these can begin another command, and a command costs more than a word.
for (const character of "\n;|&(") costs[character.charCodeAt(0)] = 7;
costs["`".charCodeAt(0)] = 12;

const blank = 32;
const lessThan = 60;
const depths: ReadonlyMap<number, number> = new Map([
  ...["(", "{", "["].map((open) => [open.charCodeAt(0), 1] as const),
  ...[")", "}", "]"].map((close) => [close.charCodeAt(0), -1] as const),
]);

/** How many characters of a text are more than a letter to a shell; a run of blanks is one. */
function marksIn(text: string, enough: number): number {
  const codes = codesOf(text);
  let marks = 1;
  let before = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && marks < enough; at += 1) {
    const code = codes[at] ?? 0;
    const cost = costs[code] ?? 0;
    if (cost > 0) {
      depth = Math.max(0, depth + (depths.get(code) ?? 0));
      if (depth > deepest) deepest = depth;
      // The parser looks for the end of each here-document among all that are open.
      marks += code !== before ? cost : code === blank ? 0 : code === lessThan ? 12 : cost;
    }
    before = code;
  }
  return deepest > maxDepth || deepest * text.length > maxNestedChars ? enough : marks;
}
