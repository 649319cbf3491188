import { effectsOfCommand } from "../effects/effects-of-command";
import { noSensitivePaths } from "../paths/sensitive-globs";
import { type LiteralValues, possibleTexts } from "../script/literal-values";
import type { ResolvedCommand } from "../script/resolved-command";
import { type ShellWord, unknownPiece } from "../script/words";

/** A command as the hard floor sees it. */
export type FloorCommand = {
  /** The program's name without its folder. */
  name: string;
  /** The name and the arguments, without quotes; `unknownPiece` replaces each piece that is known only at run time. */
  words: readonly string[];
  /** The working folder as far as the script tells; each `cd` before the command is assumed to succeed. */
  folder: string;
  /** Absolute path of the home folder on the machine of a client; undefined for a command that Handrail runs. */
  home: string | undefined;
  /** The paths stand for everything below them. */
  isRecursive: boolean;
  /** Returns the paths that the command writes by its effects. */
  writes: () => readonly string[];
};

/** Stands for any home folder, including the conversation's own, which is never deleted whole either. */
export const homeFolder = "/~";

/** Builds a floor command, with each literal value of its variables filled in. */
export function floorCommand(command: ResolvedCommand, values: LiteralValues, home: string | undefined): FloorCommand {
  const { words, folder, within, isRecursive } = command;
  const at = folder ?? within.likelyFolder;
  const texts = words
    .flatMap((word) => {
      const possible = possibleTexts(word, values);
      // Without quotes, a value becomes several words.
      return word.certainty === "unknown" && !/["']/.test(word.text)
        ? possible.flatMap((text) => text.split(/\s+/).filter(Boolean))
        : possible;
    })
    .map((text) => text.replace(/^\uE001/, homeFolder));
  // For dash `{rm,-rf,/}` is a single word, for bash three.
  if (/^\{.*,.*\}$/s.test(words[0].value)) texts.shift();
  const [written = ""] = texts;
  const isOfFolder = written.includes("/") && !written.startsWith("/") && !at.startsWith("/");
  const name = isOfFolder ? written : written.replace(/^.*\//s, "");
  const writes = () => writtenPaths({ ...command, name, folder: at }, [name, ...texts.slice(1)]);
  return { name, words: texts, folder: at, home, isRecursive: isRecursive === true, writes };
}

/** Nothing lies inside of a folder here, and every file counts. */
export const floorSurroundings = { root: undefined, sandboxed: false, sensitivePaths: noSensitivePaths };

function writtenPaths(command: ResolvedCommand, [name = "", ...args]: readonly string[]): readonly string[] {
  const word = (value: string): ShellWord => ({
    text: value,
    value,
    certainty: value.includes(unknownPiece) ? "unknown" : /[*?[]/.test(value) ? "glob" : "literal",
    start: 0,
    end: 0,
  });
  return effectsOfCommand({ ...command, words: [word(name), ...args.map(word)] }, floorSurroundings).flatMap(({ kind, target }) =>
    kind === "write" && target.path !== undefined ? [target.path] : [],
  );
}
