import { allCodes, toCharCodes } from "@/server/platform/char-codes";

/** Maximum number of marks in a command line, including all scripts inside it. */
const maxMarks = 2_800;
const maxScripts = 400;
/** Maximum length of a command line. */
const maxScriptChars = 128 * 1024;
/** Limit for depth times length, because the parser visits a nested piece once per level. */
const maxNestedChars = 600_000;
const maxScriptDepth = 40;

/**
 * The limit up to which a command line is read. Marks are the characters that a shell acts on: blanks, quotes,
 * operators, expansions; letters cost almost nothing. Beyond the budget the reader throws, and a call whose command
 * cannot be read is denied.
 */
export class ReadingBudget {
  private marksLeft = maxMarks;
  private scriptsLeft = maxScripts;

  /**
   * Spends the budget of one script.
   * @throws Error when the text is too much
   */
  spendOn(text: string): void {
    this.scriptsLeft -= 1;
    if (this.scriptsLeft < 0 || text.length > maxScriptChars) throw tooMuch();
    this.spend(marksIn(text, this.marksLeft + 1));
  }

  /** Returns whether the budget suffices to read a text twice, as a text with continued lines needs. */
  affords(text: string): boolean {
    return this.scriptsLeft > 1 && 2 * marksIn(text, this.marksLeft) < this.marksLeft;
  }

  /**
   * Spends marks.
   * @throws Error when fewer marks are left
   */
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

/** Returns whether an error means that the command is too much to read, and not that something is broken. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof Error && error.name === "TooMuchToRead";
}

/** The cost of each character by its code; letters and everything beyond ASCII are free. */
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

/** Sums the cost of a text; a run of blanks counts once. */
function marksIn(text: string, enough: number): number {
  const codes = toCharCodes(text);
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
      // Each here-document costs more, because the parser searches its end among all open here-documents.
      marks += code !== before ? cost : code === blank ? 0 : code === lessThan ? 12 : cost;
    }
    before = code;
  }
  return deepest > maxScriptDepth || deepest * text.length > maxNestedChars ? enough : marks;
}
