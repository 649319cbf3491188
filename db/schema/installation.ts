import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text } from "drizzle-orm/pg-core";
import { times } from "../columns";
import { declareText } from "../personal-text";

/** Facts about the whole database: one row. */
export const installation = pgTable(
  "installation",
  {
    isOnly: boolean().primaryKey().default(true),
    /** A known text, sealed. It tells whether the key of a process is the one that sealed the secrets of this database. */
    keyProof: text().notNull(),
    ...times,
  },
  (table) => [check("installation_is_one_row", sql`${table.isOnly}`)],
);

export const installationText = declareText({
  stays: [installation],
});
