import { followedPath } from "./followed-path";
import { isShell } from "./inner-commands";
import type { ReadingBudget } from "./reading-budget";
import { unknownValue } from "./resolve-word";

/** A longer text in a file is not followed, and neither are more files. */
const maxChars = 8_000;
const maxFiles = 32;
/** Commands that write what they read to files. */
const writes = /^(?:tee|sponge)$/;
const copies = /^(?:cp|mv|ln|install)$/;

/** What a command line writes down in files, which it may run or read later: `echo ls > x; sh x`. */
export class WrittenFiles {
  private readonly texts = new Map<string, string>();

  constructor(private readonly budget: ReadingBudget) {}

  /** Remembers what a command prints into the files that are said, and into those that it writes by itself. */
  note(text: string | null, [name = "", ...args]: readonly string[], redirected: readonly WrittenTo[], folder: string): void {
    if (copies.test(name)) this.noteCopy(args, folder);
    if (text === null || text.length > maxChars) return;
    const own = writes.test(name) ? args.filter((word) => !word.startsWith("-")) : [];
    for (const { target, appends } of [...redirected, ...own.map((target) => ({ target, appends: true }))]) {
      if (target === "" || target.includes(unknownValue) || target.startsWith("/dev/") || this.texts.size >= maxFiles) continue;
      const file = followedPath(target, folder);
      const before = appends ? this.texts.get(file) : undefined;
      this.texts.set(file, (before === undefined ? text : `${before}\n${text}`).slice(-maxChars));
    }
  }

  private noteCopy(args: readonly string[], folder: string): void {
    const [from = "", to = "", ...more] = args.filter((word) => !word.startsWith("-"));
    const text = this.textOf(from, folder);
    if (text !== null && to !== "" && more.length === 0 && this.texts.size < maxFiles) this.texts.set(followedPath(to, folder), text);
  }

  /** What stands in a file, where it was written here and is not too much. */
  textOf(file: string, folder: string): string | null {
    return this.texts.size === 0 ? null : (this.texts.get(followedPath(file, folder)) ?? null);
  }

  /** The scripts in files that a command runs: of a shell, each that it is given; of any other, the command itself. */
  runBy(name: string, words: readonly string[], folder: string): readonly string[] {
    if (this.texts.size === 0) return none;
    const runsOperands = isShell(name) || name === "source" || name === ".";
    const files = runsOperands ? words.slice(1) : words[0]?.includes("/") ? words.slice(0, 1) : none;
    return files.flatMap((file) => this.textOf(file, folder) ?? none).filter((text) => this.budget.affords(text));
  }
}

export type WrittenTo = { target: string; appends: boolean };

const none: readonly string[] = [];
