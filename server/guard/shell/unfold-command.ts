import path from "node:path";
import type { EvaluatedScripts } from "./evaluated-scripts";
import { followedPath, maxPathChars } from "./followed-path";
import { openPassage, type Passage, passageThrough, sharesShell, withInherited } from "./inherited";
import { folderFor, innerCommandsOf } from "./inner-commands";
import { type ReadingBudget, tooMuch } from "./reading-budget";
import { homeFolder, unknownValue } from "./resolve-word";
import type { RunningCommand } from "./running-commands";

/** Commands inside commands are looked into so far; what lies deeper is too much. */
const maxDepth = 12;

export type Unfolding = Pick<RunningCommand, "words" | "folder" | "within" | "input"> & {
  /** Where scripts go that are read next. */
  next: string[];
  /** What the script around it has, and where those go that run in it. */
  evaluated: EvaluatedScripts;
  budget: ReadingBudget;
};

/** Adds a command and, one inside the other, those that it runs. */
export function unfold({ words, folder, within, input, next, evaluated, budget }: Unfolding, commands: RunningCommand[]): void {
  let open: { words: readonly string[]; runBy: string | null; folder: string; passage: Passage }[] = [
    { words, runBy: null, folder, passage: openPassage },
  ];
  for (let depth = 0; open.length > 0; depth += 1) {
    if (depth > maxDepth) throw tooMuch();
    const inner: typeof open = [];
    for (const { words, runBy, folder, passage } of open) {
      if (words.length === 0) continue;
      budget.spend((folder.length >> 5) + costOfClusters(words));
      const name = nameOf(words[0] ?? "", folder);
      commands.push({ name, words, folder, within, runBy, input });
      const found = innerCommandsOf(name, words, input);
      for (const wrapped of found.commands) {
        budget.spend(wrapped.length >> 3);
        const to = folderFor(name, words, wrapped);
        inner.push({
          words: wrapped,
          runBy: name,
          folder: to === null ? folder : folderAt(to, folder),
          passage: passageThrough(name, words, wrapped.length, passage),
        });
      }
      const scripts = [...found.scripts, ...evaluated.belongings.files.runBy(name, words, folder)];
      if (scripts.length === 0) continue;
      budget.spend(scripts.length - 1);
      const way = { ...passageThrough(name, words, 0, passage), command: name, within };
      for (const script of scripts) {
        next.push(withInherited(script, evaluated.belongings, way));
        if (sharesShell(name)) evaluated.found.push(script);
      }
    }
    open = inner;
  }
}

/** Nobody writes so many letters behind one dash; whoever asks about options looks at each of them. */
const longCluster = /^-[A-Za-z0-9]{256}/;

function costOfClusters(words: readonly string[]): number {
  let cost = 0;
  for (const word of words) if (word.length > 256 && /^-[^-]/.test(word)) cost += word.length >> (longCluster.test(word) ? 3 : 4);
  return cost;
}

/** What a command is called that is written so: without its folder, or as a file of the workspace. */
export function nameOf(word: string, folder: string): string {
  const known = word.includes(unknownValue) ? word.replaceAll(unknownValue, "") : word;
  if (!known.includes("/")) return known;
  if (known.length > maxPathChars) return known.slice(known.lastIndexOf("/") + 1);
  const file = path.posix.join(known.startsWith("/") ? "/" : folder, known);
  return file.startsWith("/") || file.startsWith("../") ? path.posix.basename(file) : `./${file}`;
}

export const movesTo = ([name]: readonly string[]): boolean => name === "cd" || name === "pushd";

export function folderAfter(command: RunningCommand | undefined, folder: string): string {
  if (!command || !movesTo([command.name])) return folder;
  const [to = homeFolder] = command.words.slice(1).filter((word) => !/^-[LPe@]+$|^--$/.test(word));
  return folderAt(to, folder);
}

function folderAt(to: string, folder: string): string {
  if (to.includes(unknownValue) || to === "-" || to.length + folder.length > maxPathChars) return ".";
  return followedPath(to, folder);
}
