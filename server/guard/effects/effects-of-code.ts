import type { Effect, Span } from "@/contracts/decisions/effects";
import type { PathContext } from "../paths/locate-path";
import { commandsInCode, runsDownload } from "../programs/commands-in-code";
import { ReadingBudget } from "../script/reading-budget";
import type { Note } from "./collector";
import { effectsOfScript, type ShellReading } from "./effects-of-script";

/** Code of another language than the shell's, as far as its text shows what it does. */
export type CodeReading = {
  /** The commands that it starts with literal words. */
  scripts: readonly ShellReading[];
  effects: readonly Effect[];
  notes: readonly Note[];
};

const isReadable = ({ detector }: Note) => detector !== "shell.unreadable";
const programs = { python: "python3", javascript: "node" } as const;

/**
 * Reads code for commands that it starts. Evidence is all of the code, because a command may stand in pieces there. Its
 * addresses open nothing: such a tool has an argument for the hosts that its code needs.
 * @param folder the folder in which the code starts
 */
export function readCode(
  language: keyof typeof programs,
  code: string,
  { surroundings, folder, evidence }: { surroundings: PathContext; folder: string; evidence: Span },
): CodeReading {
  const scripts = commandsInCode(programs[language], code).flatMap((text) => readIfShort(text, surroundings, folder));
  const effects = scripts.flatMap(({ effects }) =>
    effects.map(({ start: _start, end: _end, followsLinks: _followsLinks, ...effect }): Effect => ({ ...effect, evidence })),
  );
  const download: Note = { detector: "shell.download_and_run", says: "runs a download unread", text: code, start: 0, end: code.length };
  return {
    scripts,
    effects,
    // A text that no shell can read is a query or the like, which a function of the same name takes.
    notes: [...scripts.flatMap(({ notes }) => notes.filter(isReadable)), ...(runsDownload(code) ? [download] : [])],
  };
}

/** Reads a command; none for a text that is too much to read, which is more likely data than a command. */
function readIfShort(text: string, surroundings: PathContext, folder: string): ShellReading[] {
  try {
    return [effectsOfScript(text, surroundings, new ReadingBudget(), folder)];
  } catch {
    return [];
  }
}
