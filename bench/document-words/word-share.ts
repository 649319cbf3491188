/** Words of a reference that a text has, and that it has in the reference's order. */
export type WordShare = { count: number; found: number; inOrder: number; missing: string[] };

// Han and kana have no spaces, and every sign may begin a line, so each sign is a word, as in UAX #29.
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+/gu;

/** Returns the runs of letters and digits of a text; compatible signs, such as ligatures, count as their letters. */
export const wordsOf = (text: string): string[] => text.normalize("NFKC").match(word) ?? [];

/** Counts the words of a reference that are in a text, each as often as the text has it. */
export function recall(reference: readonly string[], text: readonly string[]): { found: number; missing: string[] } {
  const left = new Map<string, number>();
  for (const each of text) left.set(each, (left.get(each) ?? 0) + 1);
  const missing: string[] = [];
  for (const each of reference) {
    const count = left.get(each) ?? 0;
    if (count > 0) left.set(each, count - 1);
    else missing.push(each);
  }
  return { found: reference.length - missing.length, missing };
}

/** Returns the length of the longest common subsequence, by the shortest edit script of Myers. */
export function commonInOrder(a: readonly string[], b: readonly string[]): number {
  const most = a.length + b.length;
  const furthest = new Int32Array(2 * most + 3);
  for (let edits = 0; edits <= most; edits += 1) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = diagonal + most + 1;
      const below = furthest[at + 1] ?? 0;
      const right = (furthest[at - 1] ?? 0) + 1;
      let x = diagonal === -edits || (diagonal !== edits && right <= below) ? below : right;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      furthest[at] = x;
      if (x >= a.length && x - diagonal >= b.length) return (most - edits) / 2;
    }
  }
  return 0;
}
