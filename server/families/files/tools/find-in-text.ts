const maxMatches = 100;
const shownLineChars = 300;

/**
 * Returns the lines of a text that contain `query`, ignoring case, each as `line: text`. A long line is cut to the part
 * around its match, with the column.
 */
export function findInText(text: string, query: string, startLine: number): string {
  const wanted = query.toLowerCase();
  const found: string[] = [];
  let line = 0;
  let lineStart = 0;
  while (lineStart <= text.length && found.length <= maxMatches) {
    const lineFeed = text.indexOf("\n", lineStart);
    const lineEnd = lineFeed === -1 ? text.length : lineFeed;
    line += 1;
    if (line >= startLine) found.push(...matchesIn(text.slice(lineStart, lineEnd), line, wanted, maxMatches + 1 - found.length));
    lineStart = lineEnd + 1;
  }
  if (found.length === 0) return `no line contains ${JSON.stringify(query)}.`;
  const shown = found.slice(0, maxMatches);
  const more = found.length > maxMatches ? `\n[More than ${maxMatches} matches: send a longer query, or startLine ${line} to go on.]` : "";
  return `lines that contain ${JSON.stringify(query)}:\n${shown.join("\n")}${more}`;
}

/** Returns a line's match; for a long line every match, each with its surroundings. */
function matchesIn(line: string, number: number, wanted: string, most: number): string[] {
  const small = line.toLowerCase();
  const first = small.indexOf(wanted);
  if (first === -1) return [];
  if (line.length <= shownLineChars) return [`${number}: ${line}`];
  const found: string[] = [];
  for (let at = first; at !== -1 && found.length < most; ) {
    const from = Math.max(0, at - shownLineChars / 3);
    const to = Math.min(line.length, from + shownLineChars);
    const part = `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`.toWellFormed();
    found.push(`${number}, column ${[...line.slice(0, at)].length + 1}: ${part}`);
    at = small.indexOf(wanted, Math.max(to, at + 1));
  }
  return found;
}
