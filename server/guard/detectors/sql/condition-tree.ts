import type { SqlToken } from "./read-sql";

/** A condition by how its parts are joined; what is neither joined nor negated is compared as a whole. */
export type Condition =
  | { kind: "and" | "or"; parts: readonly Condition[] }
  | { kind: "not"; part: Condition }
  | { kind: "plain"; tokens: readonly SqlToken[] }
  /** True or false of every row, whatever it has; null where nobody can say which of them. */
  | { kind: "constant"; value: boolean | null };

/** Nobody who means some rows nests deeper; what does counts as true of every row. */
const maxDepth = 20;
/** And nobody joins more parts in one go. */
const maxJoints = 200;

export const isWord = (token: SqlToken | undefined, words: RegExp): boolean => token?.kind === "word" && words.test(token.value);
export const isSign = (token: SqlToken | undefined, signs: RegExp): boolean => token?.kind === "sign" && signs.test(token.value);

/** Reads the tokens of a condition, as SQL binds them: OR, XOR, AND, NOT, IS, then everything else. */
export function readCondition(tokens: readonly SqlToken[], depth = 0): Condition {
  if (depth > maxDepth) return { kind: "constant", value: true };
  const inner = unwrapped(tokens);
  if (inner) return readCondition(inner, depth + 1);
  const joints = jointsIn(tokens);
  if (joints.length > maxJoints) return { kind: "constant", value: true };
  const cut = (kind: Joint["kind"]) => partsBetween(tokens, joints, kind).map((part) => readCondition(part, depth + 1));
  if (joints.some(({ kind }) => kind === "or")) return { kind: "or", parts: cut("or") };
  if (joints.some(({ kind }) => kind === "xor")) return exclusive(cut("xor"));
  if (joints.length > 0) return { kind: "and", parts: cut("and") };
  let negations = 0;
  while (isWord(tokens[negations], /^not$/) || (isSign(tokens[negations], /^!$/) && !isSign(tokens[negations + 1], /^[=~]$/)))
    negations += 1;
  if (negations > 0) return negatedIf(negations % 2 === 1, readCondition(tokens.slice(negations), depth + 1));
  return readTested(tokens, depth) ?? { kind: "plain", tokens };
}

/** One or the other and not both; of more than two, nothing is said. */
function exclusive([a, b, ...others]: readonly Condition[]): Condition {
  if (!a || !b || others.length > 0) return { kind: "constant", value: null };
  const and = (...parts: Condition[]): Condition => ({ kind: "and", parts });
  return { kind: "or", parts: [and(a, { kind: "not", part: b }), and({ kind: "not", part: a }, b)] };
}

/** What stands in parentheses that hold everything, and no statement; null where there are none. */
export function unwrapped(tokens: readonly SqlToken[]): readonly SqlToken[] | null {
  const [open] = tokens;
  const close = tokens.at(-1);
  if (tokens.length < 3 || !open || !isSign(open, /^\($/) || !isSign(close, /^\)$/) || isWord(tokens[1], /^(?:select|with|values|table)$/))
    return null;
  const isWhole = tokens.every(({ depth }, at) => depth > open.depth || at === 0 || at === tokens.length - 1);
  return isWhole ? tokens.slice(1, -1) : null;
}

type Joint = { kind: "or" | "xor" | "and"; at: number; length: number };

/** Where parts are joined, outside of parentheses and CASE. The AND of a BETWEEN joins nothing. */
function jointsIn(tokens: readonly SqlToken[]): readonly Joint[] {
  const joints: Joint[] = [];
  const base = tokens[0]?.depth ?? 0;
  let cases = 0;
  let betweens = 0;
  let lastCompared = -1;
  for (const [at, { kind, value, depth }] of tokens.entries()) {
    if (depth !== base || (kind !== "word" && kind !== "sign")) continue;
    if (kind === "sign") {
      if (value === "=" || value === "<" || value === ">") lastCompared = at;
      if (cases > 0 || tokens[at + 1]?.value !== value || joints.at(-1)?.at === at - 1) continue;
      if (value === "&") joints.push({ kind: "and", at, length: 2 });
      else if (value === "|" && isChoice(tokens, at, lastCompared >= 0)) joints.push({ kind: "or", at, length: 2 });
    } else if (value === "case") cases += 1;
    else if (value === "end" && cases > 0) cases -= 1;
    else if (cases > 0) continue;
    else if (value === "between") betweens += 1;
    else if (value === "and" && betweens > 0) betweens -= 1;
    else if (value === "or" || value === "and" || value === "xor") joints.push({ kind: value, at, length: 1 });
  }
  return joints;
}

/** `||` puts texts together, except in MySQL: there it is an OR, which is seen by a number or a comparison behind it. */
function isChoice(tokens: readonly SqlToken[], at: number, isCompared: boolean): boolean {
  const next = tokens[at + 2];
  if (next?.kind === "number" || isWord(next, /^(?:true|not|exists)$/) || isSign(next, /^!$/)) return true;
  const base = tokens[at]?.depth;
  return isCompared && tokens.slice(at + 2, at + 7).some((after) => after.depth === base && isSign(after, /^[=<>]$/));
}

function partsBetween(tokens: readonly SqlToken[], joints: readonly Joint[], kind: Joint["kind"]): readonly (readonly SqlToken[])[] {
  const parts: (readonly SqlToken[])[] = [];
  let from = 0;
  for (const joint of joints) {
    if (joint.kind !== kind) continue;
    parts.push(tokens.slice(from, joint.at));
    from = joint.at + joint.length;
  }
  return [...parts, tokens.slice(from)];
}

/** Parts between words or signs that stand outside of parentheses. */
export function splitAt(tokens: readonly SqlToken[], separates: (token: SqlToken) => boolean): readonly (readonly SqlToken[])[] {
  const parts: SqlToken[][] = [[]];
  const base = tokens[0]?.depth ?? 0;
  for (const token of tokens) {
    if (token.depth === base && separates(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** `(...) is true`, `a = 5 is not null`, `(...) = 1`: a condition whose outcome is looked at once more. */
function readTested(tokens: readonly SqlToken[], depth: number): Condition | null {
  const base = tokens[0]?.depth ?? 0;
  const last = tokens.at(-1);
  const is = tokens.findLastIndex((token) => token.depth === base && isWord(token, /^is$/));
  if (is > 0 && isWord(last, /^(?:true|false|null|unknown)$/) && tokens.length - is <= 3) {
    const tested = tokens.slice(0, is);
    const isNegated = isWord(tokens[is + 1], /^not$/);
    if (isWord(last, /^(?:true|false)$/)) return negatedIf(isNegated !== (last?.value === "false"), readCondition(tested, depth + 1));
    // Comparing says yes or no of nearly every row.
    return isOutcome(tested) ? { kind: "constant", value: isNegated } : null;
  }
  const at = tokens.findIndex((token) => token.depth === base && isSign(token, /^[=<>!]$/));
  if (at <= 0) return null;
  const tested = tokens.slice(0, at);
  const rest = tokens.slice(at).findIndex((token) => !isSign(token, /^[=<>!]$/));
  const operator = signsOf(tokens.slice(at, at + rest));
  const value = numberIn(tokens.slice(at + rest));
  const isBoolean = isWord(last, /^(?:true|false)$/) && tokens.length === at + rest + 1;
  if (value === null || !(isBoolean || isOutcome(tested))) return null;
  const [yes, no] = [compareValues(1, operator, value), compareValues(0, operator, value)];
  if (yes === null || no === null) return null;
  return yes === no ? { kind: "constant", value: yes } : negatedIf(no, readCondition(tested, depth + 1));
}

const negatedIf = (isNegated: boolean, part: Condition): Condition => (isNegated ? { kind: "not", part } : part);

/** Whether tokens are themselves a comparison, whose outcome is compared. */
function isOutcome(tokens: readonly SqlToken[]): boolean {
  const inner = unwrapped(tokens) ?? tokens;
  const base = inner[0]?.depth ?? 0;
  return inner.some(
    (token) => token.depth === base && (isSign(token, /^[=<>]$/) || isWord(token, /^(?:and|or|not|is|like|in|between|exists)$/)),
  );
}

export const signsOf = (tokens: readonly SqlToken[]): string => tokens.map(({ value }) => value).join("");

/** The number that tokens are, `true` and `false` among them; null for everything else. */
export function numberIn(tokens: readonly SqlToken[]): number | null {
  const isNegative = isSign(tokens[0], /^-$/);
  const [only, ...others] = isNegative || isSign(tokens[0], /^\+$/) ? tokens.slice(1) : tokens;
  if (!only || others.length > 0) return null;
  if (isWord(only, /^(?:true|false)$/)) return only.value === "true" ? 1 : 0;
  const value = only.kind === "number" ? Number(only.value) : Number.NaN;
  return Number.isNaN(value) ? null : isNegative ? -value : value;
}

/** Null for what is no comparison. */
export function compareValues<Value extends number | string>(a: Value, operator: string, b: Value): boolean | null {
  switch (operator) {
    case "=":
    case "==":
    case "<=>":
      return a === b;
    case "<>":
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
    case "!>":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
    case "!<":
      return a >= b;
    default:
      return null;
  }
}
