import "server-only";
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";

/** Rows less near than this share of the nearest one's cosine are about something else. */
export const leastNear = 0.5;
/** Rows whose vectors are compared exactly, the best by the signs of their vectors. */
const maxCompared = 240;

/** Returns a vector at the length one, so that a dot product is the cosine; null for a vector without a direction. */
export function toUnit(vector: readonly number[]): number[] | null {
  const length = Math.hypot(...vector);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : null;
}

/** Returns the sign of each number, as zeros and ones. */
export const signsOf = (vector: readonly number[]): string => vector.map((value) => (value > 0 ? "1" : "0")).join("");

export type VectorSearch = {
  table: PgTable;
  /** The row that the vector belongs to. */
  id: PgColumn;
  signs: PgColumn;
  vector: PgColumn;
  /** Which rows the caller may see and asks for, of one model only. */
  where: SQL;
  /** The vector of the request, at the length one. */
  request: readonly number[];
  limit: number;
};

/**
 * Ranks rows by the cosine of their vectors, best first. Signs of vectors are counted by any Postgres within milliseconds,
 * and the nearest by them are compared exactly.
 */
export async function rankVectors(
  tx: Db,
  { table, id, signs, vector, where, request, limit }: VectorSearch,
): Promise<{ id: string; similarity: number }[]> {
  const own = signsOf(request);
  // A model may change the size of its vectors; those of another size are left out.
  const distance = sql`case when length(${signs}) = ${own.length} then bit_count(${signs} # ${own}::varbit) end`;
  const ranked = (await tx.execute(sql`
    with nearest (id, vector) as (
      select ${id}, ${vector} from ${table} where ${where} and length(${signs}) = ${own.length} order by ${distance}, ${id} limit ${maxCompared}
    )
    select nearest.id, sum(pair.one * pair.other)::float8 as similarity
    from nearest cross join lateral unnest(nearest.vector, ${sql.param([...request])}::real[]) pair (one, other)
    group by nearest.id order by similarity desc, nearest.id limit ${limit}`)) as unknown as { id: string; similarity: number }[];
  const nearest = ranked[0]?.similarity ?? 0;
  return ranked.filter(({ similarity }) => similarity > 0 && similarity >= nearest * leastNear);
}
