import type { ResolvedCommand } from "../script/resolved-command";
import { type AssignedValues, possibleTexts } from "./assigned-values";

/** A command as the hard floor sees it. */
export type FloorCommand = {
  /** The program's name without its folder. */
  name: string;
  /** The name and the arguments, without quotes; `unknownPiece` replaces each piece that is known only at run time. */
  words: readonly string[];
  /** The working folder as far as the script tells; each `cd` before the command is assumed to succeed. */
  folder: string;
  /** The paths stand for everything below them. */
  isRecursive: boolean;
};

/** Stands for any home folder, including the conversation's own, which is never deleted whole either. */
export const homeFolder = "/~";

/** Builds a floor command, with each literal value of its variables filled in. */
export function floorCommand({ words, folder, within, isRecursive }: ResolvedCommand, values: AssignedValues): FloorCommand {
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
  return { name: isOfFolder ? written : written.replace(/^.*\//s, ""), words: texts, folder: at, isRecursive: isRecursive === true };
}
