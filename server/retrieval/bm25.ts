import { type SQL, sql } from "drizzle-orm";

/** The term frequency at which a score is half of its maximum, for a document of average length. */
const saturation = 1.6;
/** The weight of a document's length, from 0 to 1: with 1 a long one counts least. */
const shortness = 0.75;
/** Occurrences in a heading count as this many in the text. */
export const headingWeight = 1.5;

/** Returns how rare a term is: BM25's inverse document frequency, never negative. */
export const idfOf = (documents: number, withTerm: number): number =>
  Math.log(1 + (Math.max(0, documents - withTerm) + 0.5) / (withTerm + 0.5));

/** Returns the frequency at which the score of a document of this length is half of its maximum. */
export const lengthNorm = (length: number, averageLength: number): number =>
  saturation * (1 - shortness + (shortness * length) / (averageLength || 1));

/** `lengthNorm` in a query, for a column with the length. */
export const lengthNormSql = (length: SQL, averageLength: number): SQL =>
  sql`(${saturation * (1 - shortness)}::float8 + ${(saturation * shortness) / (averageLength || 1)}::float8 * ${length})`;
