import { quotedTexts } from "./quoted-texts";

const maxPathChars = 255;
/** Pieces of a path stand near each other in a program. */
const near = 3;
const maxPaths = 120;
/** Calls that take a folder with what is in it, or that hand a text to somebody who may. */
const reaching = /rmtree|removedirs|rimraf|\brm\w{0,4}\s{0,3}\(|remove|unlink|delete|rename|move|system|exec|spawn|subprocess|popen/i;
/** What is put into a text when the program runs: `f"{folder}/x"`, `${folder}/x`. */
const placeholder = /\$?\{[^{}]{0,100}\}/g;

/**
 * Paths that a program of any language may make of the texts in it: each of them, the words of each, and those that stand
 * near each other put together, as `join("docs", "a.txt")`, `Path("docs") / "a.txt"` and `chdir("docs")` do. What is filled
 * in later may be anything.
 */
export function pathsInCode(program: string): { texts: readonly string[]; paths: readonly string[]; reachesInto: boolean } {
  const texts = quotedTexts(program);
  const paths = new Set<string>();
  const pieces = texts.filter((text) => text.length <= maxPathChars && /^[^\s]+$/.test(text)).map((text) => text.replace(placeholder, "*"));
  for (const text of texts) for (const word of [text, ...text.split(/\s+/)]) paths.add(word.replace(placeholder, "*"));
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
  paths.delete("*");
  return { texts, paths: [...paths], reachesInto: reaching.test(program) };
}
