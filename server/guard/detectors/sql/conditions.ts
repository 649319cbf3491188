import type { SqlToken } from "./read-sql";

/** The tokens of the statement that begins at an index, up to the parenthesis that it stands in. */
function* from(tokens: readonly SqlToken[], index: number): Generator<SqlToken> {
  const depth = tokens[index]?.depth ?? 0;
  for (let at = index; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.depth < depth) return;
    yield token;
  }
}

/** Whether a word stands in the statement that begins at an index, in no deeper parentheses. */
export function hasAtDepth(tokens: readonly SqlToken[], index: number, word: string): boolean {
  const depth = tokens[index]?.depth;
  for (const token of from(tokens, index)) if (token.depth === depth && token.kind === "word" && token.value === word) return true;
  return false;
}

/** Words of a condition that name nothing. */
const conditionWord =
  /^(?:true|false|not|and|or|is|like|ilike|in|between|null|exists|any|all|some|unknown|distinct|from|escape|similar|to|regexp|rlike|xor)$/;

/** Whether a WHERE says which rows are meant; one that is always true does not. */
export function isBounded(tokens: readonly SqlToken[], index: number): boolean {
  const depth = tokens[index]?.depth ?? 0;
  const condition: SqlToken[] = [];
  let inWhere = false;
  for (const token of from(tokens, index)) {
    const { kind, value, depth: at } = token;
    if (inWhere && at === depth && kind === "word" && /^(?:returning|limit|order)$/.test(value)) break;
    if (inWhere) condition.push(token);
    else if (at === depth && kind === "word" && value === "where") inWhere = true;
  }
  return isCondition(condition);
}

/** Whether the ON of a MERGE says which rows of the target are meant. */
export function isMergeBounded(tokens: readonly SqlToken[], index: number): boolean {
  const { depth = 0 } = tokens[index] ?? {};
  const isWord = ({ kind, value, depth: at }: SqlToken, word: string) => kind === "word" && value === word && at === depth;
  const end = tokens.findIndex((token) => isWord(token, "when"));
  // A join in the source has an ON of its own, before that of the MERGE.
  const start = tokens.findLastIndex((token, at) => at < end && isWord(token, "on"));
  return start > 0 && isCondition(tokens.slice(start + 1, end));
}

/** Whether a condition names a column, and none of what it says in its choices is true of every row. */
function isCondition(tokens: readonly SqlToken[]): boolean {
  const names = tokens.some(({ kind, value }) => kind === "name" || (kind === "word" && !conditionWord.test(value)));
  if (!names) return false;
  const parts = splitAt(tokens, "or");
  // With AND, one part that says something is enough; with OR, every one of them has to.
  return parts.every((choice) => splitAt(choice, "and").some((part) => !isAlwaysTrue(part)));
}

function splitAt(tokens: readonly SqlToken[], word: string): SqlToken[][] {
  const parts: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "word" && token.value === word) parts.push([]);
    else if (!(token.kind === "sign" && /^[()]$/.test(token.value))) parts.at(-1)?.push(token);
  }
  return parts;
}

/** Columns that no row is without, and whose numbers begin at 1. */
const key = /^(?:_?id|uuid|pk|oid|ctid|rowid|_rowid_)$/;
/** What every row's key is, behind its name. */
const ofEveryKey = /^(?:is not null|(?:>|>=|<>|! =|!=) (?:- )?0|> = [01]|>= 1|(?:>|> =|<>|< >|! =|is distinct from) - \d+)$/;
/** Patterns that every text fits. */
const everything: ReadonlyMap<string, RegExp> = new Map([
  ...["like", "ilike", "to"].map((word) => [word, /^'%+$/] as const),
  ...["regexp", "rlike", "~"].map((word) => [word, /^'(?:\^?(?:\.\*\$?)?|\.)$/] as const),
  ["glob", /^'\*+$/],
]);

/** `1 = 1`, `true`, `id = id`, `id is not null`, `'a' like '%'`, `exists (select 1)`: a part of a condition that leaves nothing out. */
function isAlwaysTrue(part: readonly SqlToken[]): boolean {
  const names = part.some(({ kind, value }) => kind === "name" || (kind === "word" && !conditionWord.test(value)));
  if (!names) return !(part.length === 1 && /^(?:false|null|0)$/.test(part[0]?.value ?? ""));
  return isTrueOfKeys(part) || selectsNothing(part) || comparesNothing(part);
}

const written = (tokens: readonly SqlToken[]) =>
  tokens.map(({ kind, value }) => `${kind === "string" ? "'" : ""}${value.toLowerCase()}`).join(" ");

/** `id is not null`, `not t.id is null`, `id > 0`. */
function isTrueOfKeys(part: readonly SqlToken[]): boolean {
  const isNegated = part[0]?.value === "not";
  const [first, ...rest] = isNegated ? part.slice(1) : part;
  const isQualified = rest[0]?.value === ".";
  const column = isQualified ? rest[1] : first;
  if (!column || !key.test(column.value.toLowerCase()) || !/^(?:name|word)$/.test(column.kind)) return false;
  const said = written(isQualified ? rest.slice(2) : rest);
  return isNegated ? /^(?:is null|= (?:- )?0)$/.test(said) : ofEveryKey.test(said);
}

/** `exists (select 1)`: a row that comes from nowhere is always there. */
function selectsNothing(part: readonly SqlToken[]): boolean {
  return part[0]?.value === "exists" && part[1]?.value === "select" && !part.some(({ kind, value }) => kind === "word" && value === "from");
}

const compared = new Set(["=", "<", ">"]);

/** The same on both sides, or a pattern that everything fits. */
function comparesNothing(part: readonly SqlToken[]): boolean {
  const isSign = ({ kind, value }: SqlToken) => kind === "sign" && compared.has(value);
  const isSought = ({ kind, value }: SqlToken) => (kind === "word" || kind === "sign") && everything.has(value);
  const at = part.findIndex((token) => isSign(token) || isSought(token));
  const found = part[at];
  if (at <= 0 || !found) return false;
  const fitsAll = isSought(found) ? everything.get(found.value) : undefined;
  if (fitsAll) return fitsAll.test(written(part.slice(at + 1)));
  const length = part.slice(at).findIndex((token) => !isSign(token));
  const sign = part
    .slice(at, at + length)
    .map(({ value }) => value)
    .join("");
  return /^(?:=|==|<=|>=|<=>)$/.test(sign) && written(part.slice(0, at)) === written(part.slice(at + length));
}
