const maxWords = 64;
const maxChars = 20_000;

/**
 * The words that `a{b,c}d` stands for; nested braces too, at most 64 words and 20,000 characters. Ranges (`{1..9}`) stay
 * as they are. Time grows with the square of the word's length: for short words.
 */
export function expandBraces(word: string): string[] {
  let words = [word];
  for (;;) {
    const expanded = words.flatMap(expandOnce);
    if (expanded.length === words.length || expanded.length > maxWords || expanded.length * word.length > maxChars) return words;
    words = expanded;
  }
}

/** Expands the first pair of braces that has a comma and no braces inside. */
function expandOnce(word: string): string[] {
  for (let close = word.indexOf("}"); close >= 0; close = word.indexOf("}", close + 1)) {
    const open = word.lastIndexOf("{", close);
    const choices = open < 0 || word.lastIndexOf("}", close - 1) > open ? "" : word.slice(open + 1, close);
    if (choices.includes(","))
      return choices.split(",", maxWords + 1).map((choice) => word.slice(0, open) + choice + word.slice(close + 1));
  }
  return [word];
}
