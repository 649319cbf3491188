/** Letters of other alphabets, digits and pairs that are drawn like Latin letters. After Unicode's confusables, for names of tools. */
const lookalikes: Readonly<Record<string, string>> = {
  // Cyrillic
  ...{ а: "a", в: "b", с: "c", ԁ: "d", е: "e", һ: "h", і: "i", ј: "j", к: "k", ӏ: "l", м: "m", н: "h", о: "o", р: "p", ԛ: "q", ѕ: "s" },
  ...{ т: "t", у: "y", ѵ: "v", ԝ: "w", х: "x", ү: "y", г: "r" },
  // Greek
  ...{ α: "a", β: "b", ϲ: "c", ε: "e", η: "n", ι: "i", κ: "k", ν: "v", ο: "o", ρ: "p", τ: "t", υ: "u", χ: "x", γ: "y", ω: "w" },
  // Armenian, and Latin letters of their own
  ...{ օ: "o", ո: "n", ս: "u", հ: "h", ց: "g", ı: "i", ɑ: "a", ɡ: "g", ł: "l", ø: "o", đ: "d" },
  ...{ "0": "o", "1": "l", "|": "l", "5": "s" },
};

/** Converts a name to what a reader takes it for: names of one skeleton are mistaken for each other. */
export function skeletonOf(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return [...plain]
    .map((sign) => lookalikes[sign] ?? sign)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("i", "l")
    .replaceAll(/[\s._-]+/gu, "_");
}

/** Returns whether Latin letters stand in one word with Cyrillic, Greek or Armenian ones. */
export function hasMixedScripts(name: string): boolean {
  return name
    .split(/[^\p{L}]+/u)
    .some((word) => /\p{Script=Latin}/u.test(word) && /\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}/u.test(word));
}
