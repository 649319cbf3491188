import { lexer, type Token, type Tokens } from "marked";

/**
 * Splits Markdown into messages. Paragraphs, lists and code blocks stay whole where they fit; a code block that is cut is fenced in both
 * messages.
 * @param sizeOf the size of a piece as the platform counts it, after formatting
 */
export function splitText(markdown: string, limit: number, sizeOf: (piece: string) => number): string[] {
  if (sizeOf(markdown) <= limit) return markdown.trim() === "" ? [] : [markdown.trim()];
  const parts: string[] = [];
  let current = "";
  const push = () => {
    if (current.trim() !== "") parts.push(current.trim());
    current = "";
  };
  for (const token of lexer(markdown)) {
    if (sizeOf(current + token.raw) <= limit) {
      current += token.raw;
      continue;
    }
    push();
    if (sizeOf(token.raw) <= limit) current = token.raw;
    else {
      const pieces = piecesOf(token, limit, sizeOf);
      current = pieces.pop() ?? "";
      parts.push(...pieces);
    }
  }
  push();
  return parts;
}

function piecesOf(token: Token, limit: number, sizeOf: (piece: string) => number): string[] {
  if (token.type !== "code") return cut(token.raw, limit, sizeOf);
  const { text, lang = "" } = token as Tokens.Code;
  const fence = /`{3,}/.test(text) ? "~~~~" : "```";
  const fenced = (code: string) => `${fence}${lang.slice(0, 30)}\n${code}\n${fence}`;
  return cut(text, limit, (piece) => sizeOf(fenced(piece))).map(fenced);
}

/** Places to cut, the best first: between lines, sentences and words. */
const places = [/\n/g, /[.!?。！？]\s/g, /\s/g];

function cut(text: string, limit: number, sizeOf: (piece: string) => number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (sizeOf(rest) > limit) {
    const fits = longestPrefix(rest, limit, sizeOf);
    const at = bestPlace(rest.slice(0, fits)) ?? fits;
    pieces.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).replace(/^\n/, "");
  }
  return [...pieces, rest].filter((piece) => piece.trim() !== "");
}

/** Length of the longest beginning that fits: at least one character, and never half of a surrogate pair. */
function longestPrefix(text: string, limit: number, sizeOf: (piece: string) => number): number {
  let [low, high] = [1, Math.min(text.length, limit)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeOf(text.slice(0, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  return low > 1 && last >= 0xd800 && last <= 0xdbff ? low - 1 : low === 1 && last >= 0xd800 && last <= 0xdbff ? 2 : low;
}

/** Returns the place to cut in the second half of a piece; null for none. */
function bestPlace(piece: string): number | null {
  for (const place of places) {
    const last = [...piece.matchAll(place)].at(-1);
    if (last && last.index > piece.length / 2) return last.index + last[0].length;
  }
  return null;
}
