import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../contracts/common";
import { createdAt, id, moment } from "../columns";
import { declareText } from "../personal-text";
import { conversations } from "./conversations";
import { workspaces } from "./workspaces";

/** Metadata of bytes that a call produced or a person sent; the blob store holds the bytes under `sha256`. */
export const artifacts = pgTable(
  "artifacts",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** The call that produced the bytes; absent for an image that a person sent. */
    callId: uuid(),
    name: text().notNull(),
    mediaType: text().notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.workspaceId, table.id), index().on(table.conversationId), index().on(table.callId)],
);

/** Addresses that download an artifact once, without credentials. */
export const artifactLinks = pgTable(
  "artifact_links",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    artifactId: uuid()
      .notNull()
      .references(() => artifacts.id, { onDelete: "cascade" }),
    /** SHA-256 of the token in the address. */
    tokenHash: text().notNull(),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    expiresAt: moment().notNull(),
    /** The time of the download; the link is spent from then on. */
    usedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.tokenHash), index().on(table.artifactId), index().on(table.expiresAt)],
);

export const artifactsText = declareText({
  goes: [{ table: artifacts, conversation: artifacts.conversationId, blobs: [artifacts.sha256] }],
});
