import { functionsIn, isSign, isWord, type SqlToken } from "@/server/sql-text/read-tokens";

/**
 * For each column of a result, how it measures its group: `total` adds up (count, sum), `statistic` does not (avg, max), and
 * null is no measure, such as a key of the group.
 */
export type Measures = readonly ("total" | "statistic" | null)[];

const totals = /^(?:(?:count|sum|uniq)(?:if|distinct|exact)?|total)$/i;
const statistics = /^(?:(?:avg|min|max|quantile|quantileexact)(?:if)?|median|std|stddev.*|var_.*|variance|percentile_.*)$/i;
const counts = /^(?:count|uniq)/i;

/** Returns whether a column's name says that it identifies a row: its numbers are no quantities. */
export const isKeyName = (name: string): boolean =>
  /(?:^|[_\s.-])(?:id|ids|uuid|guid|key|pk|oid|rowid)$/i.test(name) || /[a-z0-9](?:Id|ID|Key|Uuid|UUID)$/.test(name);

/** Returns the measures of a query that groups its rows; null for every other query, and where its columns cannot be told. */
export function measuresOf(tokens: readonly SqlToken[]): Measures | null {
  const main = tokens.map((token, index) => ({ token, index })).filter(({ token }) => token.depth === 0);
  const find = (word: string) => main.find(({ token }) => isWord(token, word))?.index ?? -1;
  const isGrouped = main.some(({ token, index }) => isWord(token, "group") && isWord(tokens[index + 1], "by"));
  if (!isGrouped || ["union", "intersect", "except"].some((word) => find(word) >= 0)) return null;
  const [select, from] = [find("select"), find("from")];
  if (select < 0 || from < select) return null;
  const items = splitAtCommas(tokens.slice(select + 1, from));
  // A star stands for columns that only the database knows.
  return items.some((item) => isSign("*")(item.at(-1))) ? null : items.map(measureOf);
}

function measureOf(item: readonly SqlToken[]): Measures[number] {
  const functions = functionsIn(item);
  const aggregates = functions.filter((name) => totals.test(name) || statistics.test(name));
  if (aggregates.length === 0) return null;
  const isOfKey = item.some(({ kind, value }) => (kind === "word" || kind === "name") && isKeyName(value));
  if (isOfKey && !aggregates.every((name) => counts.test(name))) return null;
  return aggregates.every((name) => totals.test(name)) && functions.length === aggregates.length ? "total" : "statistic";
}

function splitAtCommas(tokens: readonly SqlToken[]): SqlToken[][] {
  const items: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.depth === 0 && isSign(",")(token)) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}
