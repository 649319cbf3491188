/**
 * A glob in which each bracket (`[a-z]`) is a `?`: wider than what was meant. What a bracket stands for has rules of its
 * own; one that is not closed stays as it is.
 */
export function withoutBrackets(glob: string): string {
  let wide = "";
  let from = 0;
  for (let open = glob.indexOf("["); open >= 0; open = glob.indexOf("[", from)) {
    const close = glob.indexOf("]", open + 1);
    if (close < 0) break;
    wide += `${glob.slice(from, open)}?`;
    from = close + 1;
  }
  return wide + glob.slice(from);
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
