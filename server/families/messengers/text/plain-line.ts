import { storableText } from "@/server/platform/database/storable";

/** Writes a name or title of a stranger on one line, without characters that are not shown or that turn the writing direction. */
export function plainLine(text: string, maxCharacters: number): string {
  const line = storableText(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.slice(0, maxCharacters).toWellFormed();
}
