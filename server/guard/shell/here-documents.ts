/** A script with the texts of its long here-documents put aside, so that they need not be parsed. */
export type WithoutHereDocuments = {
  text: string;
  /** By what stands in its place. */
  bodies: ReadonlyMap<string, string>;
};

/** Shorter ones are parsed with the rest. */
const minChars = 200;
const maxTries = 50;
const operator = /<<-?[ \t]*(?:'(\w+)'|"(\w+)"|(\w+))/g;

/**
 * Puts the texts of long here-documents aside. Only plain ones, in which nothing is expanded. Where they begin and end
 * is a guess: a parser has to find each placeholder as a whole here-document, or the text has to be given up.
 */
export function withoutHereDocuments(script: string): WithoutHereDocuments {
  const bodies = new Map<string, string>();
  if (!script.includes("<<") || script.includes("\uE003")) return { text: script, bodies };
  let text = "";
  let from = 0;
  operator.lastIndex = 0;
  let tries = 0;
  // What does not end here does not end further on.
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
    const body = script.slice(start, last);
    if (body.length < minChars || (found[3] !== undefined && /[$`\\]/.test(body))) continue;
    const placeholder = `\uE003${bodies.size}\n`;
    bodies.set(placeholder, body);
    text += script.slice(from, start) + placeholder;
    from = last;
    operator.lastIndex = last;
  }
  return { text: text + script.slice(from), bodies };
}
