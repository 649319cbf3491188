const maxTexts = 500;
const quotes = new Set(['"', "'", "`"]);

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
