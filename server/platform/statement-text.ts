import { type SQL, sql } from "drizzle-orm";

/** A statement as the driver takes it: parameters are `$1`, `$2` ... in the text. */
export type StatementText = { text: string; parameters: readonly string[] };

/** The same statement for a transaction of the ORM. */
export function inTransaction({ text, parameters }: StatementText): SQL {
  const chunks = text.split(/\$(\d+)/).map((chunk, place) => (place % 2 === 0 ? sql.raw(chunk) : sql`${parameters[Number(chunk) - 1]}`));
  return sql.join(chunks);
}
