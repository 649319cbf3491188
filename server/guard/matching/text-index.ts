/** Finds, of thousands of texts, those that may be in another one, in a single pass over it. */
export type TextIndex = {
  /** The numbers of entries that may be in a text: every one that is, and a few that are not. */
  mayBeIn: (text: string, note: (entry: number) => void) => void;
};

/** Of each text, so many characters in a row are looked for; fewer of a shorter one. */
const maxGram = 4;
/** The last characters of a run of four, a byte each. */
const maskOf = (size: number) => 2 ** (8 * size) - 1;
const slots = 1 << 16;
const slotOf = (gram: number) => Math.imul(gram, 0x9e3779b1) >>> 16;

/**
 * @param entries each with texts of which at least one has to be there, in ASCII and none of them empty
 */
export function indexTexts(entries: readonly { entry: number; texts: readonly string[] }[]): TextIndex {
  const often = new Uint32Array(slots);
  for (const { texts } of entries)
    for (const text of texts) for (const gram of gramsOf(text)) often[slotOf(gram)] = howOften(often, gram) + 1;
  const bySize = Array.from({ length: maxGram + 1 }, () => new Map<number, number[]>());
  const isThere = new Uint8Array(slots);
  for (const { entry, texts } of entries) {
    for (const text of texts) {
      // What few others have says most: all of a thousand paths begin alike.
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

/** Every run of characters in a text that is as long as what is looked for, as a number. */
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
