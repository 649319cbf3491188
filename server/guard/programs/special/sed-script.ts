/** Commands of a sed script that do more than change text. */
export type SedScript = {
  reads: readonly string[];
  writes: readonly string[] /** It may run a command, or cannot be read. */;
  isUnclear: boolean;
};

const delimited = String.raw`([^\w\s\\;{}])((?:\\[\s\S]|(?!\1)[^\\\n])*)\1((?:\\[\s\S]|(?!\1)[^\\\n])*)\1`;
const between = /[\s;}]*/y;
const pattern = String.raw`(?:/(?:[^/\\\n[]|\\[^\n])*/[IM]*|\\([^\w\s\\])(?:(?!\1)[^\\\n[]|\\[^\n])*\1[IM]*)`;
/** An address: `3`, `$`, `/x/I`, `0~2`. Character classes with a slash are excluded, because seds disagree on their end. */
const address = new RegExp(String.raw`(?:\d+(?:~\d+)?|\$|${pattern})`, "y");
const slashedClass = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]/\\\n[]*\])*\/[IM]*/y;
const secondAddress = /\s*,\s*(?:[+~]\d+)?/y;
const negation = /[ \t!]*/y;
const substitution = new RegExp(String.raw`s${delimited}([gpiIMm\d]*)(?=[\s;}#]|$|w)`, "y");
const translation = new RegExp(`y${delimited}(?=[\\s;}#]|$)`, "y");
const plain = /(?:[pPdDqQ=nNgGhHxlFz][ \t]*\d*(?=[\s;}#]|$)|\{|#[^\n]*|[btT:][ \t]*[\w.-]*(?=[\s;}]|$))/y;
const text = /[aic](?:\\[\s\S]|[^\\\n])*/y;
const file = /([rRwW])[ \t]*([^\n]*)/y;

/** Reads a sed script. The criterion is positive: every command that is not known as harmless makes the script unclear. */
export function readSed(script: string): SedScript {
  const reads: string[] = [];
  const writes: string[] = [];
  let at = 0;
  const take = (over: RegExp): RegExpExecArray | null => {
    over.lastIndex = at;
    const found = over.exec(script);
    if (found) at += found[0].length;
    return found;
  };
  const takeAddress = () => take(address) ?? take(slashedClass);
  for (take(between); at < script.length; take(between)) {
    if (takeAddress()) {
      const comma = take(secondAddress);
      if (comma && !/[+~]/.test(comma[0])) takeAddress();
    }
    take(negation);
    const replaced = take(substitution);
    // Seds disagree on whether a delimiter inside a character class ends the pattern.
    if (replaced && /\[[^\]]*$/.test(String(replaced[2]).replace(/\\[\s\S]/g, ""))) return { reads, writes, isUnclear: true };
    if (replaced && script.charAt(at) !== "w") continue;
    const named = take(file);
    if (named) (/[rR]/.test(String(named[1])) ? reads : writes).push(String(named[2]));
    else if (!take(plain) && !take(translation) && !take(text)) return { reads, writes, isUnclear: true };
  }
  return { reads, writes, isUnclear: false };
}
