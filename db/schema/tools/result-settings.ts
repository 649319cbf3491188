import { boolean, integer, pgTable, uuid } from "drizzle-orm/pg-core";
import { resultChars, turnChars } from "../../../contracts/tools/result-settings";
import { times } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

/** Settings for the results that the model reads, per workspace; without a row, the defaults apply. */
export const resultSettings = pgTable("result_settings", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  maxCharsPerResult: integer().notNull().default(resultChars.default),
  maxCharsPerTurn: integer().notNull().default(turnChars.default),
  maskSecrets: boolean().notNull().default(true),
  version: integer().notNull().default(1),
  ...times,
});

export const resultSettingsText = declareText({
  stays: [resultSettings],
});
