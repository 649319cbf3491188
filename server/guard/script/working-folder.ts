import path from "node:path";
import { homePiece, type KnownVariables, type MachineFolders, type ShellWord } from "./words";

export type Start = { folder: string | null; machine: MachineFolders | undefined };

/** A variable on which `~`, `cd` or word splitting depends, mentioned in any other way than by expansion. */
const taintsFolders = /(?<![$\w{])(?:HOME|PWD|OLDPWD|CDPATH|IFS)\b/;
/** Commands that may change the shell's working folder; the dot of `find . -name` does not count. */
export const mayMove = /(?:^|[\s;&|({`!])(?:(?:cd|pushd|popd|eval|source|builtin|command)\s|\.\s+(?:["'$`\w~/.*?\\{<]|-[-p]\s))/;

/** The working folder at one place of a script, as far as the commands before it tell. */
export class WorkingFolder {
  /** Relative to the conversation's folder, or absolute; null when a `cd` may have failed. */
  certain: string | null;
  /** The folder if each `cd` succeeds. */
  likely: string;
  private readonly machine: MachineFolders | undefined;
  private readonly keepsHome: boolean;
  private readonly movingFunctions = new Set<string>();

  constructor(script: string, { folder, machine }: Start) {
    this.certain = folder;
    this.likely = folder ?? ".";
    this.machine = machine;
    this.keepsHome = !taintsFolders.test(script);
  }

  known(): KnownVariables {
    return { home: this.keepsHome, pwd: this.keepsHome ? this.certain : null, machine: this.machine };
  }

  /** A subshell moves for itself alone. */
  inSubshell(visit: () => void): void {
    const { certain, likely } = this;
    visit();
    this.certain = certain;
    this.likely = likely;
  }

  /** Notes a function of the script, whose calls may move. */
  define(name: string, definition: string): void {
    if (mayMove.test(definition)) this.movingFunctions.add(name);
  }

  /** Follows a `cd` to a literal folder; after any other command that may move, the folder is unknown. */
  follow([name, ...args]: readonly ShellWord[]): void {
    if (!name) return;
    if (/^(?:cd|pushd)$/.test(name.value)) {
      const [target] = args.filter(({ value }) => !value.startsWith("-"));
      if (target === undefined) this.likely = folderAt(this.machine?.home ?? homePiece, ".");
      else if (target.certainty === "literal") this.likely = folderAt(target.value, this.likely);
    }
    if (name.value !== "cd") {
      if (/^(?:pushd|popd|eval|source|\.|builtin|command)$/.test(name.value) || name.certainty !== "literal") this.certain = null;
      if (this.movingFunctions.has(name.value)) this.certain = null;
      return;
    }
    const [target, ...others] = args.filter(({ value }) => !/^-[LPe@]+$|^--$/.test(value));
    const isKnown =
      others.length === 0 && this.keepsHome && this.certain !== null && target?.certainty !== "unknown" && target?.certainty !== "glob";
    // With -P, `..` goes up from the target of a link.
    const goesUpBehindLinks = args.some(({ value }) => /^-\w*P/.test(value)) && target?.value.includes("..") === true;
    if (!isKnown || goesUpBehindLinks || target?.value === "-") this.certain = null;
    else this.certain = folderAt(target?.value ?? this.machine?.home ?? homePiece, this.certain ?? ".");
  }
}

/** Resolves a path against a folder: relative to the conversation's folder, or absolute. A climbing `..` is kept. */
export function folderAt(value: string, folder: string): string {
  if (value.startsWith(homePiece)) return path.posix.normalize(`.${value.slice(1)}`).replace(/(.)\/$/, "$1");
  if (value.startsWith("/")) return path.posix.normalize(value).replace(/(.)\/$/, "$1");
  return path.posix.join(folder, value).replace(/(.)\/$/, "$1");
}
