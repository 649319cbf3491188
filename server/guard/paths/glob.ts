/**
 * Replaces each bracket (`[a-z]`) of a glob by `?`, which matches more than the bracket: the rules inside brackets
 * differ between programs. An unclosed bracket stays unchanged.
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

/** Returns the end of a bracket. A `]` at the beginning is a member, and the `]` of `[:alpha:]` does not close the bracket. */
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
 * Returns whether a name matches a glob with `*` (any run of characters, also none) and `?` (exactly one). The search runs in
 * one pass with a single backtracking point, so the cost is at worst the product of both lengths, whatever glob an
 * admin types.
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
      // Let the last star take one more character, and try the rest of the glob again.
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
