import { hostsIn, hostsInQuotes } from "./named-hosts";

/** Maximum length of a piece that is joined with others to a path: no system has a longer name. */
const maxNameChars = 255;
/** Maximum distance between pieces of one path in a program, counted in quoted texts. */
const near = 3;
const maxPaths = 120;
const maxTexts = 500;
const quotes = new Set(['"', "'", "`"]);
/** Calls that take a folder with its content, or that pass a text to another program. */
const reaching = /rmtree|removedirs|rimraf|\brm\w{0,4}\s{0,3}\(|remove|unlink|delete|rename|move|system|exec|spawn|subprocess|popen/i;
/** A placeholder that the program fills in when it runs: `f"{folder}/x"`, `${folder}/x`. */
const placeholder = /\$?\{[^{}]{0,100}\}/g;

/**
 * Calls that walk through a folder. Only with such a call does `.` mean a folder, because programs also split texts at
 * dots.
 */
const goingThrough = /rmtree|removedirs|rimraf|\brm\b|\brm\w{0,4}\s{0,3}\(|listdir|scandir|walk|glob|iterdir|readdir|\bfind\b/i;
const onlyPlaces = /^[./~]+$/;
/** A complete name at the end, or a part of a name with at least two letters or digits in a row. */
const says = /(?:^|\/)[^*?/]*[\p{L}\d][^*?/]*$|[\p{L}\d]{2}/u;

export type NamedInCode = {
  paths: readonly string[];
  hosts: readonly string[];
  /** Returns whether the program may touch the content of a folder with this path. */
  reachesInto: (path: string) => boolean;
};

/** Recognises a program that runs source code among its words or in its input. */
export const runsSource = (name: string): boolean =>
  /^(?:python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|tclsh|Rscript|osascript|awk|gawk|mawk)[\d.]*$/.test(name);

/**
 * Collects the hosts of a program in any language, and the paths that it may build from its quoted texts: each text, the words of each text,
 * and nearby texts joined, as `join("docs", "a.txt")`, `Path("docs") / "a.txt"` and `chdir("docs")` do. A text of
 * little but placeholders (`f"{a}/{b}"`) is skipped, because the result may be anything.
 */
export function namedInCode(program: string): NamedInCode {
  const texts = quotedTexts(program);
  const paths = new Set<string>();
  const goes = goingThrough.test(program);
  const reaches = reaching.test(program);
  const isSaying = (text: string, filled: string) =>
    says.test(filled) || onlyPlaces.test(filled) || (goes && filled === text && filled !== "*" && /[*?]/.test(filled));
  const pieces: string[] = [];
  for (const text of texts) {
    for (const word of new Set([text, ...text.split(/\s+/)])) {
      const filled = word.replace(placeholder, "*");
      if (!isSaying(word, filled)) continue;
      paths.add(filled);
      if (word === text && text.length <= maxNameChars && !/\s/.test(text)) pieces.push(filled);
    }
  }
  for (const [at, piece] of pieces.entries()) {
    let joined = piece;
    for (const next of pieces.slice(at + 1, at + 1 + near)) {
      if (paths.size >= maxPaths) break;
      if (/^[/~]/.test(next)) continue;
      paths.add(`${piece}/${next}`);
      joined = `${joined}/${next}`;
      paths.add(joined);
    }
  }
  const hosts = [...new Set([...hostsIn(program), ...texts.flatMap(hostsInQuotes)])];
  return { paths: [...paths], hosts, reachesInto: (path) => reaches && (goes || !onlyPlaces.test(path)) };
}

/** Returns the quoted texts of a program in any language. One pass: a quote without an end is not searched again. */
export function quotedTexts(program: string): string[] {
  const texts: string[] = [];
  const unclosed = new Set<string>();
  for (let at = 0; at < program.length && texts.length < maxTexts; at += 1) {
    const quote = program.charAt(at);
    if (!quotes.has(quote) || unclosed.has(quote)) continue;
    const end = program.indexOf(quote, at + 1);
    if (end < 0) {
      unclosed.add(quote);
      continue;
    }
    texts.push(program.slice(at + 1, end));
    at = end;
  }
  return texts;
}
