/** An index of thousands of texts that finds those contained in another text in a single pass over it. */
export type TextIndex = {
  /** Reports the entries that may be in a text: every entry that is, and a few that are not. */
  mayBeIn: (text: string, note: (entry: number) => void) => void;
};

/** Number of consecutive characters looked up for each text; shorter texts use all of theirs. */
const maxGram = 4;
/** Mask of the last `size` characters, one byte each. */
const maskOf = (size: number) => 2 ** (8 * size) - 1;
const slots = 1 << 16;
const slotOf = (gram: number) => Math.imul(gram, 0x9e3779b1) >>> 16;

/**
 * Builds the index.
 * @param entries each with non-empty ASCII texts, at least one of them required
 */
export function indexTexts(entries: readonly { entry: number; texts: readonly string[] }[]): TextIndex {
  const often = new Uint32Array(slots);
  for (const { texts } of entries)
    for (const text of texts) for (const gram of gramsOf(text)) often[slotOf(gram)] = howOften(often, gram) + 1;
  const bySize = Array.from({ length: maxGram + 1 }, () => new Map<number, number[]>());
  const isThere = new Uint8Array(slots);
  for (const { entry, texts } of entries) {
    for (const text of texts) {
      // The rarest gram is the most selective, because for example thousands of paths begin alike.
      const rarest = gramsOf(text).reduce((best, gram) => (howOften(often, gram) < howOften(often, best) ? gram : best));
      const known = bySize[Math.min(maxGram, text.length)];
      const same = known?.get(rarest);
      if (same) same.push(entry);
      else known?.set(rarest, [entry]);
      isThere[slotOf(rarest)] = 1;
    }
  }
  const sizes = [...bySize.entries()].filter(([, known]) => known.size > 0).map(([size, known]) => ({ size, known, mask: maskOf(size) }));
  return {
    mayBeIn: (text, note) => {
      let last = 0;
      for (let at = 0; at < text.length; at += 1) {
        last = (last << 8) | (text.charCodeAt(at) & 0xff);
        for (const { size, known, mask } of sizes) {
          const gram = (last & mask) >>> 0;
          if (at + 1 < size || isThere[slotOf(gram)] !== 1) continue;
          for (const entry of known.get(gram) ?? nothing) note(entry);
        }
      }
    },
  };
}

const nothing: readonly number[] = [];
const howOften = (often: Uint32Array, gram: number) => Number(often[slotOf(gram)]);

/** Returns every gram of a text as a number: runs of `maxGram` characters, or the whole of a shorter text. */
function gramsOf(text: string): number[] {
  const size = Math.min(maxGram, text.length);
  const mask = maskOf(size);
  const grams: number[] = [];
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    last = (last << 8) | (text.charCodeAt(at) & 0xff);
    if (at + 1 >= size) grams.push((last & mask) >>> 0);
  }
  return grams;
}
