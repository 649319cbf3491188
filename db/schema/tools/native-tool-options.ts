import { integer, jsonb, pgTable, uuid } from "drizzle-orm/pg-core";
import type { NativeToolOptions } from "../../../contracts/tools/native-tool-options";
import { times } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

/** Options of the tools that model providers run; without a row, the providers' own defaults apply. */
export const nativeToolOptions = pgTable("native_tool_options", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  options: jsonb().$type<NativeToolOptions>().notNull(),
  version: integer().notNull().default(1),
  ...times,
});

export const nativeToolOptionsText = declareText({
  stays: [nativeToolOptions],
});
