const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/gu;
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu;

/** Returns whether most letters of a text are read from right to left. */
export function isRightToLeft(text: string): boolean {
  const right = text.match(rightToLeft)?.length ?? 0;
  return right > 0 && right >= (text.match(leftToRight)?.length ?? 0);
}

/**
 * Orders the pieces of a line that is read from right to left. They come in their order on the page, each readable in
 * itself; words and numbers of the other direction keep their order among themselves.
 */
export function readingOrder<T extends { text: string }>(pieces: readonly T[]): T[] {
  const ordered: T[] = [];
  let foreign: T[] = [];
  for (const piece of [...pieces].reverse()) {
    if (piece.text.search(rightToLeft) === -1 && /[\p{L}\p{N}]/u.test(piece.text)) foreign.unshift(piece);
    else {
      ordered.push(...foreign, piece);
      foreign = [];
    }
  }
  return [...ordered, ...foreign];
}
