import type { Command, Word } from "unbash";
import { excerpt } from "../excerpt";
import { homePiece, unknownPiece } from "./words";

/** Says why the parser reads a text otherwise than shells do; null when it does not. */
export function whyMisread(text: string): string | null {
  if (text.includes(unknownPiece) || text.includes(homePiece)) return "it has characters that mean something else here";
  // Shells join continued lines first, even between `$` and the name that it expands.
  return /[$&|<>"'`(]\\\n/.test(text) ? "a line is continued in the middle of a sign" : null;
}

/** `ls 1>(rm x)`: behind a number, the parser takes a substitution for plain text. */
export function whyWordMisread({ parts, text }: Word): string | null {
  return !parts && /[<>]\(/.test(text.replace(/\\./gs, "")) ? `a substitution is hidden in \`${excerpt(text)}\`` : null;
}

/** The parser skips text between a command's words that is no word, such as the `(` of `ls (`. */
export function whyCommandMisread(command: Command, source: string): string | null {
  const stray = strayTextIn(command, source);
  return stray === "" ? null : `\`${excerpt(stray)}\` stands where no word can stand`;
}

function strayTextIn({ pos, end, prefix, name, suffix, redirects }: Command, source: string): string {
  if (redirects.some(({ type }) => type === "HereDoc")) return "";
  let at = pos;
  for (const part of [...prefix, ...(name ? [name] : []), ...suffix]) {
    const stray = source.slice(at, part.pos).replace(/\\\n/g, "").trim();
    if (stray !== "") return stray;
    at = part.end;
  }
  const [, after = ""] = /^(?:[ \t]|\\\n)*([(<>`{]?)/.exec(source.slice(end, end + 100)) ?? [];
  return after;
}
