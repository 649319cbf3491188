/** A pattern that is nothing but a text, perhaps bound to the beginning or the end: `^drafts/`, `\\.md$`, `rm -rf`. */
export type PlainPattern = {
  isFoundIn: (text: string) => boolean;
  /** Length of the match that begins at the text's first character; null when none does. */
  lengthAtStart: (text: string) => number | null;
};

/** Characters that stand for themselves in RE2, and escaped ones that do. */
const plainSource = /^(\^?)((?:[A-Za-z0-9 _/:;,@%#=<>!~"'&`-]|\\[.\\/()[\]{}|^$*+?-])+)(\$?)$/;

/** What such a pattern means, without an engine: most rules ask for no more. Null for every other pattern. */
export function plainPattern(source: string): PlainPattern | null {
  const found = plainSource.exec(source);
  if (!found) return null;
  const [, start, written = "", end] = found;
  const wanted = written.replace(/\\(.)/g, "$1");
  const begins = end ? (text: string) => text === wanted : (text: string) => text.startsWith(wanted);
  const contains = end ? (text: string) => text.endsWith(wanted) : (text: string) => text.includes(wanted);
  return { isFoundIn: start ? begins : contains, lengthAtStart: (text) => (begins(text) ? wanted.length : null) };
}
