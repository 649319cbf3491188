import { bigint, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../contracts/common";
import { notKeptReasons } from "../../contracts/turns/file-changes";
import { createdAt, id } from "../columns";
import { declareText } from "../personal-text";
import { conversations } from "./conversations";
import { workspaces } from "./workspaces";

/** Changes of files by tools and by restores. The blob store holds the contents, each in a blob of its own. */
export const fileChanges = pgTable(
  "file_changes",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** Null once the conversation is deleted; the sweep then deletes row and blobs. */
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    callId: uuid(),
    actor: jsonb().$type<ActorRef>().notNull(),
    /** The workspace folder, relative to the root of all folders. */
    folder: text().notNull(),
    /** Real path relative to the folder. */
    path: text().notNull(),
    /** Null when the file did not exist. */
    beforeBytes: bigint({ mode: "number" }),
    beforeHash: text(),
    beforeMode: integer(),
    beforeBlob: text(),
    /** Null when the change deleted the file. */
    afterBytes: bigint({ mode: "number" }),
    afterHash: text(),
    afterBlob: text(),
    /** Size of both blobs. */
    storedBytes: integer().notNull().default(0),
    notKept: text({ enum: notKeptReasons }),
    /** The change that this change undid. */
    restores: uuid(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.conversationId, table.id), index().on(table.callId), index().on(table.createdAt)],
);

export const fileChangesText = declareText({
  goes: [
    {
      table: fileChanges,
      conversation: fileChanges.conversationId,
      maker: fileChanges.actor,
      blobs: [fileChanges.beforeBlob, fileChanges.afterBlob],
    },
  ],
});
