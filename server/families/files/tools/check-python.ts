const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** A comment, a text of any form, a text that its line cuts off, or a bracket. Group 1: the cut text's quote; 2: the quotes of an open long text. */
const token =
  /#[^\n]*|"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|("""|''')|"(?:\\[\s\S]|[^\\"\n])*"|'(?:\\[\s\S]|[^\\'\n])*'|(["'])|[()[\]{}]/g;

/**
 * Finds brackets and texts of Python that do not close, which is what cut and edited files mostly suffer from. It reads no
 * grammar, because a false alarm would send a model to mend a right file.
 */
export function checkPython(_path: string, text: string): string | null {
  const open: { bracket: string; line: number }[] = [];
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(token)) {
    const [found, longQuotes, quote] = match;
    line += countLineEnds(text, counted, match.index);
    counted = match.index;
    if (longQuotes) return `the text that begins with ${longQuotes} does not end, at line ${line}.`;
    if (quote) return isInFormatted(text, match.index) ? null : `the text that begins with ${quote} does not end, at line ${line}.`;
    if (closers[found]) open.push({ bracket: found, line });
    else if (found === ")" || found === "]" || found === "}") {
      const last = open.pop();
      if (!last) return `${found} closes nothing, at line ${line}.`;
      if (closers[last.bracket] !== found) return `${found} does not close ${last.bracket} of line ${last.line}, at line ${line}.`;
    }
  }
  const last = open.at(-1);
  return last ? `${last.bracket} does not close, at line ${last.line}.` : null;
}

/** From Python 3.12 on a formatted text may hold its own quotes in its braces, which nothing but the grammar can tell apart. */
function isInFormatted(text: string, at: number): boolean {
  return /\b(?:[rR]?[fFtT]|[fFtT][rR])["']/.test(text.slice(text.lastIndexOf("\n", at) + 1, at));
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
