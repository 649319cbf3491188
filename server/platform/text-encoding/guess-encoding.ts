import chardet from "chardet";

/**
 * Guesses the encoding of bytes that are no UTF-8. The detector counts frequent letters, which takes a page of text; a list of
 * names has too few, so the guess also looks at which characters would stand beside each other.
 */
export function guessEncoding(sample: Uint8Array): string {
  // The last character of a sample may be cut.
  const lines = sample.subarray(0, sample.lastIndexOf(0x0a) + 1 || sample.byteLength);
  const wide = wideGuess(lines);
  if (wide) return wide;
  const confidence = new Map(chardet.analyse(lines).map(({ name, confidence }) => [name.toLowerCase(), confidence / 100]));
  let best = { name: "windows-1252", cost: Number.POSITIVE_INFINITY };
  for (const [index, { name, also = [] }] of narrow.entries()) {
    const text = decoded(lines, name);
    if (text === null) continue;
    const detected = Math.max(0, ...[name, ...also].map((label) => confidence.get(label) ?? 0));
    const cost = oddity(text, name) - detected / 4 + index / 1_000;
    if (cost < best.cost) best = { name, cost };
  }
  return best.name;
}

/** Encodings with a byte a character, those that programs write most first; `also` is what the detector calls them. */
const narrow: readonly { name: string; also?: readonly string[] }[] = [
  { name: "windows-1252", also: ["iso-8859-1"] },
  { name: "windows-1250" },
  { name: "windows-1251" },
  { name: "windows-1254", also: ["iso-8859-9"] },
  { name: "windows-1253", also: ["iso-8859-7"] },
  { name: "windows-1255", also: ["iso-8859-8"] },
  { name: "windows-1256" },
  { name: "iso-8859-2" },
  { name: "koi8-r" },
  { name: "iso-8859-5" },
  { name: "ibm866" },
];

function decoded(bytes: Uint8Array, name: string): string | null {
  const text = new TextDecoder(name).decode(bytes);
  return /[\uFFFD\u0080-\u009f]/.test(text) ? null : text;
}

/** Letters outside of ASCII that the languages of an encoding write. Others are letters that a wrong encoding makes. */
const usual: Readonly<Record<string, RegExp>> = {
  "windows-1252": /[äöüßéèêëàâáãåæçíìîïñóòôõøœúùûÿ]/iu,
  "windows-1250": /[ąćęłńóśźżáčďéěíňřšťúůýžäĺľôŕöüőűăâîșțşţđß]/iu,
  "iso-8859-2": /[ąćęłńóśźżáčďéěíňřšťúůýžäĺľôŕöüőűăâîşţđß]/iu,
  "windows-1254": /[çğıİöşüâî]/iu,
};
const signs = /[\s\p{P}€£¥¢§©®°±²³µ·×÷½¼¾«»№₪ªº¤¨´¸¯¬¦]/u;

/** Returns how unlike a text the characters are, as a share of those outside of ASCII. */
function oddity(text: string, name: string): number {
  let odd = 0;
  let all = 0;
  const expected = usual[name];
  for (const [character] of text.matchAll(/[^\0-\x7f]/gu)) {
    all += 1;
    if (/\p{L}/u.test(character)) {
      if (expected && !expected.test(character)) odd += 1;
    } else if (!signs.test(character) && !/\p{M}/u.test(character)) odd += 1;
  }
  // A sign or a change of script between letters, and a capital behind a small letter.
  odd += text.match(/\p{L}(?![-'’.·])[^\p{L}\p{M}\p{N}\s\0-\x7f](?=\p{L})/gu)?.length ?? 0;
  odd += 2 * (text.match(/[a-z][^\0-\x7f\p{Script=Latin}\P{L}]|[^\0-\x7f\p{Script=Latin}\P{L}][a-z]/giu)?.length ?? 0);
  odd += text.match(/\p{Ll}(?=\p{Lu})/gu)?.length ?? 0;
  // A sign that leads a word or ends it, and a vowel point without a letter.
  odd += text.match(/[¢£¤¥¦¨¬®¯±²³´¶¸¹¼½¾]\p{Ll}|\p{L}[¼½¾¹¶¦]|(?<![\p{L}\p{M}])\p{M}|\p{M}{3}/gu)?.length ?? 0;
  // Greek words have accents; Hebrew ones, read as Greek, have none.
  if (name === "windows-1253" && !/[ΆΈΉΊΌΎΏάέήίόύώ]/.test(text)) odd += all / 10;
  // Words of Latin letters are never mostly accents, and Cyrillic ones are no single letters between signs.
  for (const [word] of text.matchAll(/\p{Script=Latin}{3,}/gu)) {
    const accents = word.match(/[^\0-\x7f]/g)?.length ?? 0;
    if (accents * 2 > word.length) odd += accents;
  }
  return all === 0 ? 0 : odd / all;
}

/** The first byte of a character, its second one, and whether people use that character often. */
type Wide = { name: string; isCharacter: (first: number, second: number) => boolean; isUsual: (first: number, second: number) => boolean };

const within = (byte: number, from: number, to: number): boolean => byte >= from && byte <= to;
const punctuation = (first: number): boolean => within(first, 0xa1, 0xa3);

/** Encodings of East Asia. Where the text fits several, the first one is meant. */
const wide: readonly Wide[] = [
  {
    name: "euc-kr",
    isCharacter: (first, second) => within(first, 0xa1, 0xfe) && within(second, 0xa1, 0xfe),
    isUsual: (first) => within(first, 0xb0, 0xc8) || punctuation(first),
  },
  {
    name: "gb18030",
    isCharacter: (first, second) => within(first, 0x81, 0xfe) && within(second, 0x40, 0xfe) && second !== 0x7f,
    isUsual: (first, second) => (within(first, 0xb0, 0xd7) || punctuation(first)) && second >= 0xa1,
  },
  {
    name: "big5",
    isCharacter: (first, second) => within(first, 0xa1, 0xf9) && (within(second, 0x40, 0x7e) || within(second, 0xa1, 0xfe)),
    isUsual: (first) => within(first, 0xa1, 0xc6),
  },
];

function wideGuess(bytes: Uint8Array): string | null {
  const japanese = japaneseGuess(bytes);
  if (japanese) return japanese;
  let best = { name: "", share: 0.85 };
  for (const { name, isCharacter, isUsual } of wide) {
    const pairs = pairsOf(bytes, isCharacter);
    if (pairs === null || pairs.length < 2) continue;
    const share = pairs.filter(([first, second]) => isUsual(first, second)).length / pairs.length;
    // Korean text fits Chinese encodings, and Chinese text the Korean one only in part.
    if (share > best.share && (name !== "euc-kr" || (share > 0.97 && pairs.length > 3))) best = { name, share };
  }
  return best.name === "" ? null : best.name;
}

/** Japanese shows by its kana, which stand at the same places in nothing else that people write. */
function japaneseGuess(bytes: Uint8Array): string | null {
  const inEuc = pairsOf(bytes, (first, second) => (within(first, 0xa1, 0xfe) || first === 0x8e) && within(second, 0xa1, 0xfe));
  if (inEuc && inEuc.filter(([first]) => first === 0xa4 || first === 0xa5).length > inEuc.length / 10) return "euc-jp";
  const half = (byte: number) => within(byte, 0xa1, 0xdf);
  const pairs = pairsOf(
    bytes,
    (first, second) => (within(first, 0x81, 0x9f) || within(first, 0xe0, 0xfc)) && within(second, 0x40, 0xfc),
    half,
  );
  if (pairs === null || pairs.length < 2) return null;
  const usualPairs = pairs.filter(([first, second]) => second !== 0 && (within(first, 0x81, 0x84) || within(first, 0x88, 0x97))).length;
  return usualPairs > pairs.length * 0.8 ? "shift_jis" : null;
}

/** Returns the pairs of bytes outside of ASCII; null where a byte fits no pair. A byte that `isSingle` has 0 as its second. */
function pairsOf(
  bytes: Uint8Array,
  isCharacter: (first: number, second: number) => boolean,
  isSingle: (byte: number) => boolean = () => false,
): [number, number][] | null {
  const pairs: [number, number][] = [];
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) continue;
    const second = bytes[at + 1] ?? 0;
    if (isSingle(first)) pairs.push([first, 0]);
    else if (isCharacter(first, second)) {
      pairs.push([first, second]);
      at += 1;
    } else return null;
  }
  return pairs;
}
