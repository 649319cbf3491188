/** A piece of a text, or the name of an invisible character. */
export type Piece = { text: string; hidden: boolean };

/**
 * Characters that draw nothing or reorder their neighbours: controls (except tab and line feed), format characters such
 * as zero-width and bidirectional marks, line separators, fillers, selectors. A model could use them to make a text
 * look unlike the text that runs. `emoji` allows joiners and selectors inside an emoji, because they shape its picture.
 */
const hiddenCharacter = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}]|\p{Default_Ignorable_Code_Point}/gu;
const emoji = /\p{Extended_Pictographic}\ufe0f?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*/gu;

/** Splits a text so that every hidden character can be shown by its code point. */
export function revealHidden(text: string): Piece[] {
  const insideEmoji = new Set<number>();
  for (const match of text.matchAll(emoji)) {
    for (let index = match.index; index < match.index + match[0].length; index++) insideEmoji.add(index);
  }
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(hiddenCharacter)) {
    if (insideEmoji.has(match.index)) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), hidden: false });
    pieces.push({ text: codePointName(match[0]), hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), hidden: false });
  return pieces;
}

/** The text with every hidden character spelt out between brackets, for places that take no elements: options, tooltips, notices. */
export function spellHidden<T extends string | null | undefined>(text: T): string | Exclude<T, string> {
  if (typeof text !== "string") return text as Exclude<T, string>;
  return revealHidden(text)
    .map((piece) => (piece.hidden ? `[${piece.text}]` : piece.text))
    .join("");
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
