const maxWords = 64;

/** The words that `a{b,c}d` stands for; nested braces too, at most 64 words. Ranges (`{1..9}`) stay as they are. */
export function expandBraces(word: string): string[] {
  let words = [word];
  for (let round = 0; round < maxWords; round += 1) {
    const expanded = words.flatMap(expandInnermost);
    if (expanded.length === words.length || expanded.length > maxWords) return words;
    words = expanded;
  }
  return words;
}

/** Expands the first pair of braces that has no braces inside. */
function expandInnermost(word: string): string[] {
  const [whole, choices] = /\{([^{}]*,[^{}]*)\}/.exec(word) ?? [];
  if (whole === undefined || choices === undefined) return [word];
  const start = word.indexOf(whole);
  return choices.split(",").map((choice) => word.slice(0, start) + choice + word.slice(start + whole.length));
}
