/** So much of a command line is read, all scripts inside it together; about a microsecond each. */
const maxMarks = 3_600;
const maxScripts = 400;
/** A longer text is no command line. */
const maxChars = 128 * 1024;

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
    this.spend(marksIn(text, this.marksLeft + 1));
    if (this.scriptsLeft < 0 || text.length > maxChars) throw tooMuch();
  }

  /** @throws Error when there are not so many marks left */
  spend(marks: number): void {
    this.marksLeft -= marks;
    if (this.marksLeft < 0) throw tooMuch();
  }
}

export function tooMuch(): Error {
  return new Error("it is too much to be read with certainty");
}

const isPlain = new Uint8Array(128);
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,-+%@^") isPlain[character.charCodeAt(0)] = 1;

/** How many characters of a text are more than a letter to a shell; a run of blanks is one. */
function marksIn(text: string, enough: number): number {
  let marks = 1;
  let before = 0;
  for (let at = 0; at < text.length && marks < enough; at += 1) {
    const code = text.charCodeAt(at);
    if (isPlain[code] === 0) marks += costOf(code, before);
    before = code;
  }
  return marks;
}

const blank = 32;
const lessThan = 60;

function costOf(code: number, before: number): number {
  if (code !== before) return 1;
  if (code === blank) return 0;
  // The parser looks for the end of each here-document among all that are open.
  return code === lessThan ? 8 : 1;
}
