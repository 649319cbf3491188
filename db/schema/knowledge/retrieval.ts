import { integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

const workspaceId = () =>
  uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });

/** In how many rows of a searched set a word stands. A set is named by the family that keeps its rows. */
export const searchedWords = pgTable(
  "searched_words",
  { workspaceId: workspaceId(), set: text().notNull(), word: text().notNull(), rows: integer().notNull() },
  (table) => [primaryKey({ columns: [table.workspaceId, table.set, table.word] })],
);

/** Number and summed length of the rows of a searched set, in words. */
export const searchedSets = pgTable(
  "searched_sets",
  { workspaceId: workspaceId(), set: text().notNull(), rows: integer().notNull(), words: integer().notNull() },
  (table) => [primaryKey({ columns: [table.workspaceId, table.set] })],
);

export const retrievalText = declareText({
  family: [searchedWords, searchedSets],
});
