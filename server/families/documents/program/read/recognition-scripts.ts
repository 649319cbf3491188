/** Languages of text recognition by the script they are written in, as the orientation data names it. All others are Latin. */
const languagesOfScript: Readonly<Record<string, readonly string[]>> = {
  Arabic: ["ara", "fas", "urd", "pus", "uig"],
  Armenian: ["hye"],
  Bengali: ["ben", "asm"],
  Cyrillic: ["rus", "ukr", "bel", "bul", "srp", "mkd", "kaz", "kir", "mon", "tgk", "tat"],
  Devanagari: ["hin", "mar", "nep", "san"],
  Ethiopic: ["amh", "tir"],
  Georgian: ["kat"],
  Greek: ["ell", "grc"],
  Gujarati: ["guj"],
  Gurmukhi: ["pan"],
  Han: ["chi_sim", "chi_tra", "jpn"],
  Hangul: ["kor"],
  Hebrew: ["heb", "yid"],
  Hiragana: ["jpn"],
  Japanese: ["jpn"],
  Kannada: ["kan"],
  Katakana: ["jpn"],
  Khmer: ["khm"],
  Korean: ["kor"],
  Lao: ["lao"],
  Malayalam: ["mal"],
  Myanmar: ["mya"],
  Sinhala: ["sin"],
  Tamil: ["tam"],
  Telugu: ["tel"],
  Thai: ["tha"],
  Tibetan: ["bod"],
};

/** Returns the languages that are written in a script; none for Latin, and for signs that are no script, such as digits. */
export const languagesIn = (script: string): readonly string[] => languagesOfScript[script] ?? [];
