/** Characters that a reader does not see: controls, format characters (bidi, zero width, tags), private use, unassigned. */
const suspects = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;
const everySuspect = new RegExp(suspects.source, "gu");
const layout = new Set(["\n", "\r", "\t"]);

const emojiPart = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const joinedLetter =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Sinhala}\p{Script=Malayalam}\p{M}]$/u;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const joiners = new Set(["\u200c", "\u200d"]);
const marks = new Set(["\u200e", "\u200f", "\u061c"]);
const flag = "\u{1f3f4}";

/** Returns whether the hidden character at `index` belongs to its script: a joiner in an emoji, a mark in Hebrew, a flag's tag. */
function belongs(text: string, index: number, character: string): boolean {
  if (layout.has(character)) return true;
  // A byte order mark at the very beginning says nothing to a model.
  if (character === "\ufeff") return index === 0;
  const before = text.slice(Math.max(0, index - 2), index);
  if (joiners.has(character)) return emojiPart.test(before) || joinedLetter.test(before);
  if (marks.has(character)) return rightToLeft.test(text.slice(Math.max(0, index - 20), index + 20));
  return isTag(character) && isFlagTag(text, index);
}

const isTag = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xe0000 && code <= 0xe007f;
};

/** A flag of a region is a black flag, at most six tags and the end tag. */
function isFlagTag(text: string, index: number): boolean {
  const start = text.lastIndexOf(flag, index);
  return start >= 0 && index - start <= flag.length + 12 && [...text.slice(start + flag.length, index)].every(isTag);
}

/** Returns each kind of hidden character in a text as `U+200B`, with its number. */
export function findHiddenCharacters(text: string): Map<string, number> {
  const found = new Map<string, number>();
  if (!suspects.test(text)) return found;
  for (const { 0: character, index } of text.matchAll(everySuspect)) {
    if (belongs(text, index, character)) continue;
    const name = nameOf(character);
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}

/** Removes hidden characters and keeps line ends, tabs and the joiners that a script needs. */
export function removeHiddenCharacters(text: string): string {
  if (!suspects.test(text)) return text;
  return text.replace(everySuspect, (character, index: number) => (belongs(text, index, character) ? character : ""));
}

/** Writes hidden characters as `U+200B`, so that a person sees where they are. */
export function revealHiddenCharacters(text: string): string {
  return text.replace(everySuspect, (character, index: number) =>
    belongs(text, index, character) ? character : `\u2039${nameOf(character)}\u203a`,
  );
}

const nameOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Names the found characters in one line: `U+200B (3), U+202E (1)`, at most five. */
export function describeHidden(found: ReadonlyMap<string, number>): string {
  const shown = [...found].slice(0, 5).map(([name, count]) => `${name} (${count})`);
  return [...shown, ...(found.size > 5 ? [`and ${found.size - 5} more kinds`] : [])].join(", ");
}
