import { followedPath } from "./followed-path";
import { isShell, valuesOf } from "./inner-commands";
import type { ReadingBudget } from "./reading-budget";
import { unknownValue } from "./resolve-word";

/** A longer text in a file is not followed, and neither are more files. */
const maxChars = 8_000;
const maxFiles = 32;
/** Commands that write what they read to files. */
const writes = /^(?:tee|sponge)$/;
const copies = /^(?:cp|mv|ln|install)$/;

/** Commands that change files in their place, and those that are told where to write, in a way that nobody follows. */
const changesInPlace: Readonly<Record<string, RegExp>> = { sed: /^(?:-[nrEsuzb]*[iI]|--in-p)/, gsed: /^(?:-[nrEsuzb]*[iI]|--in-p)/ };
const sorts = /^g?sort$/;

/** What a command line writes down in files, which it may run or read later: `echo ls > x; sh x`. */
export class WrittenFiles {
  private readonly texts = new Map<string, string>();
  /** By their names without folders: files that were written, those of them of which not all is read, and those that ran. */
  private readonly written = new Set<string>();
  private readonly unread = new Set<string>();
  private readonly ran = new Set<string>();

  constructor(private readonly budget: ReadingBudget) {}

  /**
   * Remembers what a command prints into the files that are said, and into those that it writes by itself.
   * @param isAll whether the text is everything that the command prints, each time that it runs
   */
  note(text: string | null, words: readonly string[], to: { redirected: readonly WrittenTo[]; folder: string; isAll: boolean }): void {
    const [name = "", ...args] = words;
    if (copies.test(name)) this.noteCopy(args, to.folder);
    for (const { target, appends } of writes.test(name) ? [...to.redirected, ...ownTargets(args)] : to.redirected) {
      if (target === "" || target === unknownValue || target.startsWith("/dev/")) continue;
      const isKnown = text !== null && text.length <= maxChars && !target.includes(unknownValue) && this.texts.size < maxFiles;
      // What ran before it was written may run again.
      if (!isKnown || !to.isAll || text.includes(unknownValue) || this.ran.has(nameOf(target))) this.noteUnread(target);
      if (isKnown) this.noteText(text, { target, appends }, to.folder);
      else if (this.texts.size > 0) this.texts.delete(followedPath(target, to.folder));
    }
    const inPlace = Object.hasOwn(changesInPlace, name) ? changesInPlace[name] : undefined;
    if (inPlace && args.some((word) => inPlace.test(word))) for (const word of args) if (!word.startsWith("-")) this.noteUnread(word);
    if (sorts.test(name)) for (const target of valuesOf(args, ["-o", "--output"])) this.noteUnread(target);
  }

  /** Remembers that something is written to a file that nobody reads before. */
  noteUnread(target: string): void {
    const name = nameOf(target);
    if (name === "" || name === unknownValue) return;
    this.written.add(name);
    this.unread.add(name);
  }

  private noteText(text: string, { target, appends }: WrittenTo, folder: string): void {
    const name = nameOf(target);
    const file = followedPath(target, folder);
    const before = this.texts.get(file);
    // Behind what stood there already, nobody knows what is read.
    if (appends && before === undefined && this.written.has(name)) this.noteUnread(target);
    this.written.add(name);
    this.texts.set(file, (appends && before !== undefined ? `${before}\n${text}` : text).slice(-maxChars));
  }

  private noteCopy(args: readonly string[], folder: string): void {
    if (this.written.size === 0) return;
    const operands = args.filter((word) => !word.startsWith("-"));
    const [into] = valuesOf(args, ["-t", "--target-directory"]);
    const to = into ?? operands.at(-1);
    if (to === undefined) return;
    for (const from of into === undefined ? operands.slice(0, -1) : operands) {
      const name = nameOf(from);
      if (!this.written.has(name)) continue;
      if (this.unread.has(name) || this.ran.has(nameOf(to))) this.noteUnread(to);
      this.written.add(nameOf(to));
      const text = this.textOf(from, folder);
      if (text === null || this.texts.size >= maxFiles) continue;
      // The last one may be a file or a folder.
      for (const target of [to, `${to}/${name}`]) this.texts.set(followedPath(target, folder), text);
    }
  }

  /** What stands in a file, where it was written here and is not too much. */
  textOf(file: string, folder: string): string | null {
    return this.texts.size === 0 ? null : (this.texts.get(followedPath(file, folder)) ?? null);
  }

  /** The scripts in files that a command runs: of a shell, each that it is given; of any other, the command itself. */
  runBy(name: string, words: readonly string[], folder: string): readonly string[] {
    const runsOperands = isShell(name) || name === "source" || name === ".";
    const files = runsOperands ? words.slice(1) : words[0]?.includes("/") ? words.slice(0, 1) : none;
    const found = new Set<string>();
    for (const file of new Set(files)) {
      if (this.ran.size < maxRan) this.ran.add(nameOf(file));
      const text = this.textOf(file, folder);
      if (text === null || found.has(text)) continue;
      if (this.budget.affords(text)) found.add(text);
      else this.noteUnread(file);
    }
    return found.size === 0 ? none : [...found];
  }

  get isEmpty(): boolean {
    return this.written.size === 0;
  }

  /** Whether a file is one that was written here; the folders do not count, which may be called in many ways. */
  isWritten(file: string): boolean {
    return this.written.size > 0 && this.written.has(nameOf(file));
  }

  /** Whether not everything is read that was written to a file. */
  isUnread(file: string): boolean {
    return this.unread.size > 0 && this.unread.has(nameOf(file));
  }
}

function ownTargets(args: readonly string[]): readonly WrittenTo[] {
  const appends = args.some((word) => /^(?:-\w*a|--append)/.test(word));
  return [...new Set(args.filter((word) => !word.startsWith("-")))].map((target) => ({ target, appends }));
}

const maxRan = 1_000;
const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1);

export type WrittenTo = { target: string; appends: boolean };

const none: readonly string[] = [];
