/** The range of a here-document's text, from `start` to `end` (exclusive). */
export type BodyRange = { start: number; end: number };

/** Shorter here-documents are parsed with the rest of the script. */
const minChars = 200;
const maxTries = 50;
const operator = /<<-?[ \t]*(?:'(\w+)'|"(\w+)"|(\w+))/g;

/**
 * Replaces long here-documents without expansions by letters, so that they need not be parsed and every position stays
 * the same. The ranges are a guess: the caller has to check that the parser finds a here-document at each of them.
 */
export function blankHereDocuments(script: string): { text: string; bodies: readonly BodyRange[] } {
  const bodies: BodyRange[] = [];
  if (!script.includes("<<")) return { text: script, bodies };
  let text = "";
  let from = 0;
  operator.lastIndex = 0;
  let tries = 0;
  // A delimiter without an end from here on has no end from a later position either.
  const endless = new Set<string>();
  for (let found = operator.exec(script); found && tries < maxTries; found = operator.exec(script)) {
    tries += 1;
    const delimiter = found[1] ?? found[2] ?? found[3] ?? "";
    const start = script.indexOf("\n", operator.lastIndex) + 1;
    if (start === 0) break;
    if (endless.has(delimiter)) continue;
    const end = script.startsWith(`${delimiter}\n`, start) ? start : script.indexOf(`\n${delimiter}\n`, start) + 1;
    if (end === 0) endless.add(delimiter);
    const last = end > 0 || !script.endsWith(`\n${delimiter}`) ? end : script.length - delimiter.length;
    if (last - start < minChars || (found[3] !== undefined && /[$`\\]/.test(script.slice(start, last)))) continue;
    bodies.push({ start, end: last });
    text += `${script.slice(from, start)}${"x".repeat(last - start - 1)}\n`;
    from = last;
    operator.lastIndex = last;
  }
  return { text: text + script.slice(from), bodies };
}
