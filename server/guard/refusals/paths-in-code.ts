import { quotedTexts } from "./quoted-texts";

/** Maximum length of a piece that is joined with others to a path: no system has a longer name. */
const maxNameChars = 255;
/** Maximum distance between pieces of one path in a program, counted in quoted texts. */
const near = 3;
const maxPaths = 120;
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

export type PathsInCode = {
  texts: readonly string[];
  paths: readonly string[];
  /** Returns whether the program may touch the content of a folder with this path. */
  reachesInto: (path: string) => boolean;
};

/**
 * Collects the paths that a program in any language may build from its quoted texts: each text, the words of each text,
 * and nearby texts joined, as `join("docs", "a.txt")`, `Path("docs") / "a.txt"` and `chdir("docs")` do. A text of
 * little but placeholders (`f"{a}/{b}"`) is skipped, because the result may be anything.
 */
export function pathsInCode(program: string): PathsInCode {
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
  return { texts, paths: [...paths], reachesInto: (path) => reaches && (goes || !onlyPlaces.test(path)) };
}
