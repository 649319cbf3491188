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
