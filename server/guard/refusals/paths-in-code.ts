import { quotedTexts } from "./quoted-texts";

const maxPathChars = 255;
/** Pieces of a path stand near each other in a program. */
const near = 3;
const maxPaths = 120;
/** Calls that take a folder with what is in it, or that hand a text to somebody who may. */
const reaching = /rmtree|removedirs|rimraf|\brm\w{0,4}\s{0,3}\(|remove|unlink|delete|rename|move|system|exec|spawn|subprocess|popen/i;
/** What is put into a text when the program runs: `f"{folder}/x"`, `${folder}/x`. */
const placeholder = /\$?\{[^{}]{0,100}\}/g;

/** Calls that go through a folder that is named by where it stands: `.` is also what texts are split at. */
const goingThrough = /rmtree|removedirs|rimraf|\brm\b|\brm\w{0,4}\s{0,3}\(|listdir|scandir|walk|glob|iterdir|readdir|\bfind\b/i;
const onlyPlaces = /^[./~]+$/;
/** A name in full at the end, or a part of one that says more than a letter does. */
const says = /(?:^|\/)[^*?/]*[\p{L}\d][^*?/]*$|[\p{L}\d]{2}/u;

export type PathsInCode = {
  texts: readonly string[];
  paths: readonly string[];
  /** Whether the program may take what is in a folder that it names so. */
  reachesInto: (path: string) => boolean;
};

/**
 * Paths that a program of any language may make of the texts in it: each of them, the words of each, and those that stand
 * near each other put together, as `join("docs", "a.txt")`, `Path("docs") / "a.txt"` and `chdir("docs")` do. What is filled
 * in later may be anything, so a text that is little else (`f"{a}/{b}"`) says nothing of a path.
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
      if (word === text && text.length <= maxPathChars && !/\s/.test(text)) pieces.push(filled);
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
