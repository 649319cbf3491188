import "server-only";
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { headingWeight, idfOf, lengthNorm, lengthNormSql } from "./bm25";
import { type RankedDocument, withFeedback } from "./feedback";
import { quoted, type WordColumns } from "./stored-words";
import { tokenize } from "./tokenize";

export type RowSearch = WordColumns & {
  workspaceId: string;
  /** Sets among which the rarity of words is counted. */
  sets: readonly string[];
  /** Which rows the caller may see and asks for. */
  where: SQL;
  request: string;
  limit: number;
};

/** A row that fits a request, with the terms of the request that it has. */
export type RankedRow = { id: string; score: number; terms: string[] };

const maxWords = 48;
/** Rows that the index hands over at the most: rare words first, and a word that would exceed it only ranks. */
const maxMatched = 2_000;
/** Rows that are scored exactly, the best by the rarity of their words. */
const maxScored = 240;
/** A question of this many words takes words from the best rows of its first ranking, if that has this many rows. */
const feedbackFrom = { words: 4, rows: 20, best: 10 };

/** Ranks a family's rows by BM25 from the statistics of their sets, best first. Rows without a word of the request are left out. */
export async function rankRows(tx: Db, search: RowSearch): Promise<RankedRow[]> {
  const terms = [...new Set(tokenize(search.request))].slice(0, maxWords);
  if (terms.length === 0) return [];
  const counted = await readStatistics(tx, search, terms);
  const known = new Map(terms.filter((term) => counted.rowsWith.has(term)).map((term) => [term, 1]));
  if (known.size === 0) return [];
  const asked = { asked: known, matched: matchQuery(counted, known) };
  const first = await scoreRows(tx, search, counted, asked, known, maxScored);
  if (known.size < feedbackFrom.words || first.length < feedbackFrom.rows) return withTerms(first, known, search.limit);
  const best = await readParts(tx, search, counted, first.slice(0, feedbackFrom.best));
  const all = await readStatistics(tx, search, [...new Set(best.flatMap(({ parts }) => [...parts.keys()]))]);
  const idf = (term: string) => idfOf(all.rows, all.rowsWith.get(term) ?? 0);
  const wanted = withFeedback(known, best, idf, (term) => (all.rowsWith.get(term) ?? 0) / Math.max(1, all.rows));
  return withTerms(
    await scoreRows(
      tx,
      search,
      { ...all, rowsWith: new Map([...all.rowsWith, ...counted.rowsWith]) },
      { ...asked, among: first.map(({ id }) => id) },
      wanted,
      search.limit,
    ),
    known,
    search.limit,
  );
}

const withTerms = (rows: readonly RankedRow[], asked: ReadonlyMap<string, number>, limit: number): RankedRow[] =>
  rows.slice(0, limit).map((row) => ({ ...row, terms: row.terms.filter((term) => asked.has(term)) }));

type Counted = { rows: number; averageLength: number; rowsWith: Map<string, number> };

async function readStatistics(tx: Db, { workspaceId, sets }: RowSearch, terms: readonly string[]): Promise<Counted> {
  const among = sql`workspace_id = ${workspaceId}::uuid and set = any(${sql.param(sets)}::text[])`;
  const found = (await tx.execute(sql`
    select null as word, sum(rows)::int as rows, sum(words)::float8 as words from searched_sets where ${among}
    union all
    select word, sum(rows)::int, null from searched_words where ${among} and rows > 0 and word = any(${sql.param(terms)}::text[]) group by word
  `)) as unknown as { word: string | null; rows: number | null; words: number | null }[];
  const total = found.find(({ word }) => word === null);
  const rows = total?.rows ?? 0;
  return {
    rows,
    averageLength: rows > 0 ? (total?.words ?? 0) / rows : 1,
    rowsWith: new Map(found.flatMap(({ word, rows }) => (word === null || !rows ? [] : [[word, rows] as const]))),
  };
}

/** Returns the query for the index: the rarest words of the request, as many as match few enough rows. */
function matchQuery({ rowsWith }: Counted, asked: ReadonlyMap<string, number>): string {
  const byRarity = [...asked.keys()].sort((a, b) => (rowsWith.get(a) ?? 0) - (rowsWith.get(b) ?? 0));
  let matched = 0;
  const used = byRarity.filter((term, at) => {
    matched += rowsWith.get(term) ?? 0;
    return at === 0 || matched <= maxMatched;
  });
  return used.map(quoted).join(" | ");
}

/** The words of the request that some row has, and the query for the index; or the rows that a first ranking found by it. */
type Asked = { asked: ReadonlyMap<string, number>; matched: string; among?: readonly string[] };

/** Scores rows: first all that the index hands over by the presence of words, then the best of them exactly. */
async function scoreRows(
  tx: Db,
  { table, id, words, wordCount, where }: RowSearch,
  { rows, averageLength, rowsWith }: Counted,
  { asked, matched, among }: Asked,
  wanted: ReadonlyMap<string, number>,
  limit: number,
): Promise<RankedRow[]> {
  const weights = [...wanted].map(([term, weight]) => ({ term, weight: weight * idfOf(rows, rowsWith.get(term) ?? 0) }));
  const norm = lengthNormSql(sql`${wordCount}`, averageLength);
  const present = weights
    .filter(({ term }) => asked.has(term))
    .map(({ term, weight }) => sql`case when ${words} @@ ${quoted(term)}::tsquery then ${weight}::float8 else 0 end`);
  return (await tx.execute(sql`
    with wanted (term, weight) as (
      select * from unnest(${sql.param(weights.map(({ term }) => term))}::text[], ${sql.param(weights.map(({ weight }) => weight))}::float8[])
    ), candidates as (
      select ${id} as id, ${words} as words, ${norm} as norm from ${table} where ${
        among
          ? sql`${id} = any(${sql.param(among)}::uuid[])`
          : sql`${words} @@ ${matched}::tsquery and (${where}) order by (${sql.join(present, sql` + `)}) / (1 + ${norm}) desc, ${id}`
      }
      limit ${maxScored}
    )
    select candidates.id, sum(wanted.weight * placed.frequency / (placed.frequency + candidates.norm))::float8 as score,
      array_agg(wanted.term) as terms
    from candidates
      cross join lateral unnest(candidates.words) word
      join wanted on wanted.term = word.lexeme
      cross join lateral (select ${frequencySql} as frequency) placed
    group by candidates.id order by score desc, candidates.id limit ${limit}`)) as unknown as RankedRow[];
}

/** Occurrences of a word of a row; those in headings weigh more. */
const frequencySql = sql`(select sum(case place when 'A' then ${headingWeight}::float8 else 1 end) from unnest(word.weights) place)`;

/** Reads all words of some rows, each with its part of a full score. */
async function readParts(
  tx: Db,
  { table, id, words, wordCount }: RowSearch,
  { averageLength }: Counted,
  best: readonly RankedRow[],
): Promise<RankedDocument[]> {
  const ids = best.map(({ id }) => id);
  const found = (await tx.execute(sql`
    select ${id} as id, ${wordCount} as length, word.lexeme as term, ${frequencySql} as frequency
    from ${table}, unnest(${words}) word where ${id} = any(${sql.param(ids)}::uuid[])`)) as unknown as {
    id: string;
    length: number;
    term: string;
    frequency: number;
  }[];
  const byRow = Map.groupBy(found, ({ id }) => id);
  return best.map(({ id, score }) => ({
    score,
    parts: new Map(
      (byRow.get(id) ?? []).map(({ term, frequency, length }) => [term, frequency / (frequency + lengthNorm(length, averageLength))]),
    ),
  }));
}
