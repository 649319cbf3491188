/**
 * A glob in which each bracket (`[a-z]`) is a `?`: wider than what was meant. What a bracket stands for has rules of its
 * own; one that is not closed stays as it is.
 */
export function withoutBrackets(glob: string): string {
  let wide = "";
  let from = 0;
  for (let open = glob.indexOf("["); open >= 0; open = glob.indexOf("[", from)) {
    const close = endOfBracket(glob, open);
    if (close < 0) break;
    wide += `${glob.slice(from, open)}?`;
    from = close + 1;
  }
  return wide + glob.slice(from);
}

/** Where a bracket is closed: not by a `]` at its beginning, which is a member of it, nor by that of `[:alpha:]`. */
function endOfBracket(glob: string, open: number): number {
  let at = open + (/[!^]/.test(glob.charAt(open + 1)) ? 2 : 1);
  if (glob[at] === "]") at += 1;
  for (; at < glob.length; at += 1) {
    if (glob[at] === "]") return at;
    if (glob[at] !== "[") continue;
    const found = /^\[([:.=])[^\][]{1,16}\1\]/.exec(glob.slice(at, at + 20));
    if (found) at += found[0].length - 1;
  }
  return -1;
}

/**
 * Whether a name fits a glob with `*` (any run of characters, also none) and `?` (exactly one). One pass with one point
 * to return to: at worst the product of the two lengths, never exponential, whatever an admin types.
 */
export function globFits(glob: string, name: string): boolean {
  let at = 0;
  let starAt = -1;
  let nameAtStar = 0;
  let inName = 0;
  while (inName < name.length) {
    const wanted = glob[at];
    if (wanted === "*") {
      starAt = at;
      nameAtStar = inName;
      at += 1;
    } else if (wanted === "?" || wanted === name[inName]) {
      at += 1;
      inName += 1;
    } else if (starAt >= 0) {
      // The last star takes one character more, and what follows it is tried again.
      nameAtStar += 1;
      inName = nameAtStar;
      at = starAt + 1;
    } else {
      return false;
    }
  }
  while (glob[at] === "*") at += 1;
  return at === glob.length;
}
