const maxChars = 60;

/** The value of `$((0-1))` or `$[2*3]` when there are only whole numbers in it; null for everything else. */
export function valueOfArithmetic(text: string): string | null {
  if (text.length > maxChars || !/^\$[([][\d\s()+*\x2d\]]*$/.test(text)) return null;
  const tokens = text.slice(2, -1).match(/\d+|[-+*()]/g) ?? [];
  let at = 0;
  const value = (): number => {
    const token = tokens[at];
    at += 1;
    if (token === "-") return -value();
    if (token === "+") return value();
    if (token !== "(") return token === undefined || /^(0\d|\D)/.test(token) ? Number.NaN : Number(token);
    const inside = sum();
    at += 1;
    return tokens[at - 1] === ")" ? inside : Number.NaN;
  };
  const product = (): number => {
    let left = value();
    while (tokens[at] === "*") {
      at += 1;
      left *= value();
    }
    return left;
  };
  const sum = (): number => {
    let left = product();
    while (tokens[at] === "+" || tokens[at] === "-") {
      const sign = tokens[at] === "+" ? 1 : -1;
      at += 1;
      left += sign * product();
    }
    return left;
  };
  const result = sum();
  return at === tokens.length && Number.isSafeInteger(result) ? String(result) : null;
}
