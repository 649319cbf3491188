const right = String.raw`[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]`;
/** A letter of Hebrew, Arabic or another script that runs from right to left, or its mark. Their digits run from left to right. */
const rightward = new RegExp(right, "u");
const firstLetter = /\p{L}/u;
const bracket = /[()[\]{}<>«»]/;
/** Words from right to left with the signs between them, or what stands between such words. */
const runsOfDirection = new RegExp(`${right}+(?:[^\\p{L}\\p{N}]*${right}+)*|(?:(?!${right}).)+`, "gsu");

type Direction = "left" | "right" | "neutral";

/** A word of a line of pdfmake: its place, and the space at its end that the end of the line cuts off. */
export type PlacedWord = { text: string; x: number; width: number; trailingCut?: number; isRightToLeft?: boolean };

export const hasRightToLeft = (text: string): boolean => rightward.test(text);

/** Tells whether a text runs from right to left: its first letter decides, as in Unicode's bidirectional algorithm (UAX 9, P2 and P3). */
export function isRightToLeft(text: string): boolean {
  return rightward.test(firstLetter.exec(text)?.[0] ?? "");
}

/** Text from right to left begins at the right edge. */
export const sideOf = (runs: readonly { text: string }[]): { alignment?: "right" } =>
  isRightToLeft(runs.map(({ text }) => text).join("")) ? { alignment: "right" } : {};

/** Splits a text where its direction changes, because a font draws all signs of a piece in one direction. */
export function splitByDirection(text: string): string[] {
  if (!hasRightToLeft(text)) return [text];
  return [...text.matchAll(runsOfDirection)].flatMap(([run]) => (hasRightToLeft(run) ? [run] : splitNeutral(run)));
}

/** Keeps brackets, and the signs before and after a number or word, apart from it: they take the direction of the text around them. */
function splitNeutral(text: string): string[] {
  const parts = text.split(/((?:[^\p{L}\p{N}]*[()[\]{}<>«»][^\p{L}\p{N}]*)+|^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$)/u);
  return parts.filter((part) => part !== undefined && part !== "");
}

/**
 * Gives the words of a line their places from right to left where their text runs so: words of one direction keep together,
 * and their groups stand in the order of the paragraph (UAX 9, L2, by words). Brackets within them are mirrored.
 */
export function orderLine(words: PlacedWord[]): void {
  if (!words.some(({ text }) => hasRightToLeft(text))) return;
  const isBaseRight = words[0]?.isRightToLeft ?? isRightToLeft(words.map(({ text }) => text).join(""));
  const base: Direction = isBaseRight ? "right" : "left";
  const directions = resolved(words, base);
  const groups: { direction: Direction; words: PlacedWord[] }[] = [];
  for (const [place, word] of words.entries()) {
    const direction = directions[place] ?? base;
    const last = groups.at(-1);
    if (last?.direction === direction) last.words.push(word);
    else groups.push({ direction, words: [word] });
  }
  const visual = (isBaseRight ? groups.toReversed() : groups).flatMap((group) =>
    group.direction === "right" ? group.words.toReversed() : group.words,
  );
  // The space that the line's end cut off stands at the left of a word from right to left.
  const cut = directions.at(-1) === "right" ? (words.at(-1)?.trailingCut ?? 0) : 0;
  let x = Math.min(...words.map((word) => word.x)) - (isBaseRight ? cut : 0);
  for (const word of visual) {
    word.x = x;
    x += word.width;
  }
  for (const [place, word] of words.entries()) {
    if (directions[place] !== "right") continue;
    // The font itself turns around words of letters that run from right to left, and no others.
    word.text = mirrored(hasRightToLeft(word.text) ? word.text : [...word.text].toReversed().join(""));
  }
}

function directionOf({ text }: PlacedWord): Direction {
  if (hasRightToLeft(text)) return "right";
  return /[\p{L}\p{N}]/u.test(text) ? "left" : "neutral";
}

/**
 * Neutral words take the direction of both neighbours when these agree, else the paragraph's (UAX 9, N1 and N2). Brackets take the
 * paragraph's, so that both of a pair have one direction.
 */
function resolved(words: readonly PlacedWord[], base: Direction): Direction[] {
  const directions = words.map(directionOf);
  return directions.map((direction, place) => {
    if (direction !== "neutral") return direction;
    if (bracket.test(words[place]?.text ?? "")) return base;
    const before = directions.slice(0, place).findLast((each) => each !== "neutral") ?? base;
    const after = directions.slice(place + 1).find((each) => each !== "neutral") ?? base;
    return before === after ? before : base;
  });
}

const mirrors: Readonly<Record<string, string>> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "{": "}",
  "}": "{",
  "<": ">",
  ">": "<",
  "«": "»",
  "»": "«",
};
const mirrored = (text: string): string => text.replaceAll(/[()[\]{}<>«»]/g, (sign) => mirrors[sign] ?? sign);
