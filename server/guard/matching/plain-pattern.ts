/** A pattern without operators besides an anchor at its beginning or end: `^drafts/`, `\\.md$`, `rm -rf`. */
export type PlainPattern = {
  isFoundIn: (text: string) => boolean;
  /** Returns the length of the match at the text's first character; null without a match there. */
  lengthAtStart: (text: string) => number | null;
};

/** Characters that are literal in RE2, and escaped characters that are. */
const plainSource = /^(\^?)((?:[A-Za-z0-9 _/:;,@%#=<>!~"'&`-]|\\[.\\/()[\]{}|^$*+?-])+)(\$?)$/;

/** Compiles a plain pattern without an engine, because most rules need no more; null for every other pattern. */
export function plainPattern(source: string): PlainPattern | null {
  const found = plainSource.exec(source);
  if (!found) return null;
  const [, start, written = "", end] = found;
  const wanted = written.replace(/\\(.)/g, "$1");
  const begins = end ? (text: string) => text === wanted : (text: string) => text.startsWith(wanted);
  const contains = end ? (text: string) => text.endsWith(wanted) : (text: string) => text.includes(wanted);
  return { isFoundIn: start ? begins : contains, lengthAtStart: (text) => (begins(text) ? wanted.length : null) };
}
