import { unreadable } from "./foreign-server";

const maxWords = 500;

/** Splits a command line into words as a shell does, without expanding anything. */
export function splitWords(line: string): string[] {
  const words = [...line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_found, double?: string, single?: string, escaped?: string) =>
      double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : (single ?? escaped ?? ""),
    ),
  );
  if (words.length > maxWords) throw unreadable("The command has too many words.");
  return words;
}

/** Words by which a shell joins commands or redirects them; in quotes they are text. */
const shellWords = /^(?:&&?|\|\|?|;|[0-9]?>>?|<)$/;

/** Tells whether a line has a pipe, a redirection, a list of commands, or a command whose output is filled in. */
export const isShellLine = (line: string): boolean => line.split(/\s+/).some((word) => shellWords.test(word)) || /\$\(|`/.test(line);

/** A line that only a shell could run is taken over without its command, so that somebody names it. */
export const shellLineNote = "Its command is a line for a shell. Name the program, its arguments and its working folder instead.";
