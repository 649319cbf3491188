import "server-only";
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import { tokenize } from "./tokenize";

/** A set of rows of one family that are searched and counted together, such as the entries of an agent's memory. */
export type SearchedSet = { workspaceId: string; set: string };

/** The columns in which a family keeps the words of its rows; `words` has a GIN index. */
export type WordColumns = { table: PgTable; id: PgColumn; words: PgColumn; wordCount: PgColumn };

/** Postgres keeps at most 256 places of a word. */
const maxPlaces = 255;

/** Returns the words of a row for its columns: the text's own terms, and those of its headings with weight A. */
export function toStoredWords(text: string, headings: string): { words: string; wordCount: number } {
  const counts = new Map<string, { body: number; heading: number }>();
  const count = (terms: readonly string[], place: "body" | "heading") => {
    for (const term of terms) {
      const known = counts.get(term) ?? { body: 0, heading: 0 };
      known[place]++;
      counts.set(term, known);
    }
    return terms.length;
  };
  const wordCount = count(tokenize(text), "body") + count(tokenize(headings), "heading");
  const words = [...counts].map(([term, { body, heading }]) => {
    const inHeadings = Math.min(heading, maxPlaces);
    const total = Math.min(body + inHeadings, maxPlaces);
    // Only the number of places counts, so they are numbered from 1.
    const places = Array.from({ length: total }, (_, at) => `${at + 1}${at < inHeadings ? "A" : ""}`);
    return `${quoted(term)}:${places.join(",")}`;
  });
  return { words: words.join(" "), wordCount };
}

/** Terms are letters and digits; the quotes keep every other character from being syntax. */
export const quoted = (term: string): string => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/**
 * Counts rows into the statistics of a set, or out of them. Call it after rows were inserted and before rows are changed or
 * removed, in their transaction.
 */
export async function countRows(
  tx: Db,
  { workspaceId, set }: SearchedSet,
  { table, words, wordCount }: WordColumns,
  where: SQL,
  sign: 1 | -1,
): Promise<void> {
  // Ordered by word, because two transactions that count the same words must lock them in the same order.
  await tx.execute(sql`
    insert into searched_sets as known (workspace_id, set, rows, words)
    select ${workspaceId}::uuid, ${set}::text, ${sign}::int * count(*), ${sign}::int * coalesce(sum(${wordCount}), 0)
    from ${table} where ${where}
    on conflict (workspace_id, set) do update
      set rows = greatest(0, known.rows + excluded.rows), words = greatest(0, known.words + excluded.words)`);
  await tx.execute(sql`
    insert into searched_words as known (workspace_id, set, word, rows)
    select ${workspaceId}::uuid, ${set}::text, counted.lexeme, ${sign}::int * count(*)
    from ${table}, unnest(${words}) counted where ${where}
    group by counted.lexeme order by counted.lexeme
    on conflict (workspace_id, set, word) do update set rows = greatest(0, known.rows + excluded.rows)`);
}

/** Removes words of a set that stand in no row any more. */
export async function removeUnusedWords(tx: Db, { workspaceId, set }: SearchedSet): Promise<void> {
  await tx.execute(sql`delete from searched_words where workspace_id = ${workspaceId}::uuid and set = ${set} and rows <= 0`);
}

/** Removes the statistics of a set whose rows are all gone. */
export async function forgetSet(tx: Db, { workspaceId, set }: SearchedSet): Promise<void> {
  await tx.execute(sql`delete from searched_words where workspace_id = ${workspaceId}::uuid and set = ${set}`);
  await tx.execute(sql`delete from searched_sets where workspace_id = ${workspaceId}::uuid and set = ${set}`);
}
