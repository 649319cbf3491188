import { unreadable } from "./foreign-server";

const maxWords = 500;

const word = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g;
const piece = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^"'\\]+)/g;

/** Splits a command line into words as a shell does, without expanding anything. */
export function splitWords(line: string): string[] {
  return wordsOf(line, { open: (text) => text, quoted: (text) => text });
}

/**
 * Splits a command line into words as a shell does. `$NAME` becomes a reference where the shell would have filled it in; in single quotes it
 * is text, and `${NAME}` is escaped.
 */
export function splitShellWords(line: string): string[] {
  return wordsOf(line, {
    open: (text) => text.replace(/(?<!\\)\$([A-Za-z_]\w*)/g, (_found, name) => `\${${name}}`),
    quoted: (text) => text.replaceAll("${", () => "$${"),
  });
}

type Pieces = Record<"open" | "quoted", (text: string) => string>;

function wordsOf(line: string, { open, quoted }: Pieces): string[] {
  const words = [...line.matchAll(word)].map(([whole]) =>
    whole.replace(piece, (_found, double?: string, single?: string, escaped?: string, bare?: string) => {
      if (double !== undefined) return open(double).replace(/\\(["\\$`])/g, "$1");
      return single === undefined ? (escaped ?? open(bare ?? "")) : quoted(single);
    }),
  );
  if (words.length > maxWords) throw unreadable("The command has too many words.");
  return words;
}

/** Words by which a shell joins commands or redirects them; in quotes they are text. */
const shellWords = /^(?:&&?|\|\|?|;|[0-9]?>>?|<)$/;

/** Tells whether a line has a pipe, a redirection, a list of commands, or a command whose output is filled in, outside of quotes that make them text. */
export function isShellLine(line: string): boolean {
  const isFilledIn = (text: string) => /\$\(|`/.test(text);
  const plain = line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|\\./g, (found) =>
    found.startsWith('"') && isFilledIn(found.replace(/\\./g, "")) ? "$(" : "quoted",
  );
  return plain.split(/\s+/).some((part) => shellWords.test(part)) || isFilledIn(plain);
}

/** A line that only a shell could run is taken over without its command, so that somebody names it. */
export const shellLineNote = "Its command is a line for a shell. Name the program, its arguments and its working folder instead.";
