import type { SqlToken } from "@/server/sql-text/read-tokens";

/** Returns the tokens of the statement that begins at an index, up to the end of its enclosing parenthesis. */
export function statementAt(tokens: readonly SqlToken[], index: number): readonly SqlToken[] {
  const depth = Number(tokens[index]?.depth);
  const length = tokens.slice(index).findIndex((token) => token.depth < depth);
  return tokens.slice(index, length < 0 ? tokens.length : index + length);
}

/** Joins the tokens of the outermost level by blanks; names and strings keep a quote, so that they are not read as words. */
export function statementText(tokens: readonly SqlToken[]): string {
  const depth = tokens[0]?.depth;
  return tokens.flatMap((token) => (token.depth === depth ? [tokenText(token)] : [])).join(" ");
}

export function tokenText({ kind, value }: SqlToken): string {
  const quote = kind === "string" ? "'" : kind === "name" ? '"' : "";
  return quote === "" ? value : `${quote}${value.toLowerCase().replace(/[\s'"]/g, "_")}${quote}`;
}

/** Operators that make a condition weaker than its conjuncts: `or`, and operators that bind as loosely in some dialect. */
const widening = /^(?:or|xor|case|\|)$/;
const maxBrackets = 8;

/**
 * Returns whether a DELETE or UPDATE names its rows: one conjunct of its WHERE is `column = constant`, `column IN
 * (constants)` or a two-sided range. A placeholder counts as a constant. Whether a range holds every row is not asked.
 */
export function isBounded(statement: readonly SqlToken[]): boolean {
  const depth = statement[0]?.depth;
  const where = statement.findIndex((token) => token.depth === depth && token.kind === "word" && token.value === "where");
  if (where < 0 || hasSeveralTables(statementText(statement.slice(0, where)).split(" "))) return false;
  const condition = statement.slice(where + 1);
  const all = condition.map(tokenText).join(" ");
  // MySQL assigns with `:=` row by row; in ClickHouse `a ? b : c` binds as loosely as OR.
  if (/: =/.test(all) || (/\?/.test(all) && /(?:^|[^:] ):(?! :)/.test(all)) || isWidened(condition)) return false;
  const end = condition.findIndex(
    ({ depth: at, kind, value }) => at === depth && kind === "word" && /^(?:returning|order|limit|option)$/.test(value),
  );
  return namesRows(end < 0 ? condition : condition.slice(0, end), maxBrackets);
}

/** Returns whether a statement uses several tables, because a condition on one table bounds no rows of another. */
function hasSeveralTables(words: readonly string[]): boolean {
  const set = words.indexOf("set");
  const tables = set < 0 ? words : words.slice(0, set);
  const sources = words.filter((word) => word === "from").length;
  return tables.some((word) => /^(?:join|using|,)$/.test(word)) || sources > (words[0] === "delete" ? 1 : 0);
}

function isWidened(condition: readonly SqlToken[]): boolean {
  const depth = condition[0]?.depth;
  return condition.some((token) => token.depth === depth && token.kind !== "name" && token.kind !== "string" && widening.test(token.value));
}

const column = String.raw`(?:\[[wt]\]|[wt])(?:\.(?:\[[wt]\]|[wt]))*`;
const value = String.raw`(?:t?s|-?d|p)(?:::[wt](?:\(d(?:,d)?\))?(?:\[\])?)?`;
const equality = new RegExp(String.raw`^${column}(?:==?(?:k|${value})|i\(${value}(?:,${value})*\)|=a\(${value}\))$`);
const range = new RegExp(`^${column}b${value}&${value}$`);
const side = new RegExp(`^(${column})([<>])=?${value}$`);

/** Words that are not columns, each with its letter in a shape. */
const letters = new Map<string, string>([
  ...["in", "between", "and", "any", "true", "false"].map((word, at) => [word, "ib&akk".charAt(at)] as const),
  ..."date time timestamp timestamptz datetime uuid".split(" ").map((word) => [word, "t"] as const),
  ..."null user current_user session_user system_user current_role current_date current_time current_timestamp current_schema current_catalog localtime localtimestamp sysdate systimestamp uid unknown default not"
    .split(" ")
    .map((word) => [word, "f"] as const),
]);
const letterOfKind: Record<Exclude<SqlToken["kind"], "sign">, string> = {
  word: "w",
  name: "w",
  string: "s",
  number: "d",
  placeholder: "p",
};

function letterOf({ kind, value }: SqlToken): string {
  if (kind === "sign") return value;
  if (kind !== "word") return letterOfKind[kind];
  return value.startsWith("@") ? "p" : (letters.get(value) ?? "w");
}

function namesRows(condition: readonly SqlToken[], brackets: number): boolean {
  const sides = new Set<string>();
  return conjunctsOf(condition).some((tokens) => {
    const shape = tokens.map(letterOf).join("");
    if (equality.test(shape) || range.test(shape)) return true;
    const [, left = "", sign = ""] = side.exec(shape) ?? [];
    if (sign !== "") {
      const name = tokens.slice(0, left.length).map(tokenText).join("");
      sides.add(name + sign);
      return sides.has(`${name}${sign === "<" ? ">" : "<"}`);
    }
    if (brackets === 0 || !isBracketed(tokens)) return false;
    const inside = tokens.slice(1, -1);
    return !isWidened(inside) && namesRows(inside, brackets - 1);
  });
}

function conjunctsOf(condition: readonly SqlToken[]): (readonly SqlToken[])[] {
  const depth = condition[0]?.depth;
  const conjuncts: SqlToken[][] = [[]];
  let ranges = 0;
  for (const token of condition) {
    const word = token.depth === depth && token.kind === "word" ? token.value : "";
    // The AND of a BETWEEN joins no conditions.
    if (word === "between") ranges += 1;
    if (word === "and" && ranges === 0) conjuncts.push([]);
    else conjuncts.at(-1)?.push(token);
    if (word === "and" && ranges > 0) ranges -= 1;
  }
  return conjuncts;
}

function isBracketed([first, ...rest]: readonly SqlToken[]): boolean {
  return first?.value === "(" && rest.findIndex(({ depth }) => depth === first.depth) === rest.length - 1;
}
