import { type SQL, sql } from "drizzle-orm";

/** A statement for the driver: `$1`, `$2` ... in the text stand for the parameters. */
export type StatementText = { text: string; parameters: readonly string[] };

/** Converts the statement for a transaction of the ORM. */
export function inTransaction({ text, parameters }: StatementText): SQL {
  const chunks = text.split(/\$(\d+)/).map((chunk, place) => (place % 2 === 0 ? sql.raw(chunk) : sql`${parameters[Number(chunk) - 1]}`));
  return sql.join(chunks);
}
