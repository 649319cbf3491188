import { type Lexis, lexes, type Reading } from "./dialects";

/** One token of a SQL text; comments are no tokens. */
export type SqlToken = {
  kind: "word" | "name" | "string" | "number" | "placeholder" | "sign";
  /** The content of a string or of a quoted name; any other token as written, its letters A to Z in lower case. */
  value: string;
  /** The number of open parentheses around the token. */
  depth: number;
  start: number;
  end: number;
};

/** The tokens up to the first place that cannot be read, and the reason as a sentence part; null when there is none. */
export type SqlTokens = { tokens: readonly SqlToken[]; unreadable: string | null };

const openings: Readonly<Record<string, string>> = { "[": "bracket", $: "dollar quote" };
const kinds = ["word", "name", "string", "number", "placeholder", "sign"] as const;

const patterns = Object.fromEntries(
  Object.entries(lexes).map(([reading, { skip, string, name, opening, word, number, placeholder }]) => {
    const groups = { skip, string, name, opening, word, ...(placeholder && { placeholder }), number, sign: "." };
    const source = Object.entries(groups).map(([group, pattern]) => `(?<${group}>${pattern})`);
    return [reading, new RegExp(source.join("|"), "suy")];
  }),
) as Record<Reading, RegExp>;

/**
 * Reads a text into tokens in linear time. The reader understands only quotes, comments and parentheses, because the time of a full
 * grammar would be under control of a hostile text.
 */
export function readTokens(text: string, reading: Reading): SqlTokens {
  const lexis = lexes[reading];
  const pattern = patterns[reading];
  const tokens: SqlToken[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    if (text.startsWith("/*", at)) {
      const after = afterComment(text, at, lexis);
      if (typeof after === "string") return { tokens, unreadable: after };
      at = after;
      continue;
    }
    const start = at;
    pattern.lastIndex = start;
    const groups = pattern.exec(text)?.groups;
    at = pattern.lastIndex;
    if (groups?.opening) return { tokens, unreadable: `a ${openings[groups.opening.slice(0, 1)] ?? "quote"} is not closed` };
    const kind = kinds.find((kind) => groups?.[kind] !== undefined);
    if (!kind) continue;
    const written = text.slice(start, at);
    if (written === ")") depth -= 1;
    if (depth < 0) return { tokens, unreadable: "a parenthesis is closed that is not open" };
    const isQuoted = kind === "string" || kind === "name";
    tokens.push({ kind, value: isQuoted ? contentOf(written, kind, lexis) : asciiLowerCase(written), depth, start, end: at });
    if (written === "(") depth += 1;
  }
  return { tokens, unreadable: depth > 0 ? "a parenthesis is not closed" : null };
}

export const isSign = (sign: string) => (token: SqlToken | undefined) => token?.kind === "sign" && token.value === sign;

export const isWord = (token: SqlToken | undefined, value: string): boolean => token?.kind === "word" && token.value === value;

/** Returns the names in front of a parenthesis, which may be functions. */
export const functionsIn = (tokens: readonly SqlToken[]): string[] =>
  tokens.flatMap(({ kind, value }, index) => ((kind === "word" || kind === "name") && isSign("(")(tokens[index + 1]) ? [value] : []));

/** Returns the position behind a comment, or behind the opening of one whose content is read; or the reason why it cannot be read. */
function afterComment(text: string, start: number, { blockComments, markedComments }: Lexis): number | string {
  const beginning = text.slice(start, start + 20);
  if (markedComments === "refuse" && /^\/\*(?:M?!|\+)/i.test(beginning))
    return "a comment that the database carries out or takes as a hint; leave it out";
  const [opening] = markedComments === "read" ? (/^\/\*M?!\d*/i.exec(beginning) ?? []) : [];
  if (opening !== undefined) return start + opening.length;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  for (let open = 0, mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === "*/") open -= 1;
    else open = blockComments === "nest" ? open + 1 : 1;
    if (open === 0) return marks.lastIndex;
  }
  return "a comment is not closed";
}

function contentOf(written: string, kind: "string" | "name", { escapesNames }: Lexis): string {
  const quoted = written.replace(/^[en](?=')/i, "");
  if (quoted.startsWith("$")) return quoted.slice(quoted.indexOf("$", 1) + 1, quoted.lastIndexOf("$", quoted.length - 2));
  const mark = quoted.charAt(0);
  if (mark === "[") return quoted.slice(1, -1);
  const content = quoted.slice(1, -1).replaceAll(mark + mark, mark);
  return kind === "name" && escapesNames ? content.replaceAll(/\\(.)/gs, "$1") : content;
}

/** Databases fold the letters A to Z, and JavaScript would fold others too. */
const asciiLowerCase = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
