import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../contracts/common";
import type { Permission } from "../../contracts/permissions";
import type { ToolEffect } from "../../contracts/tools/tools";
import { trustClasses } from "../../contracts/tools/trust";
import { createdAt, id, moment } from "../columns";
import { declareText } from "../personal-text";
import { agents } from "./agents";
import { workspaces } from "./workspaces";

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    prefix: text().notNull(),
    /** SHA-256 of the key, hexadecimal; a key has 256 random bits, so no slow hash is needed. */
    hash: text().notNull().unique(),
    scopes: jsonb().$type<Permission[]>().notNull(),
    /** Effects that calls made with it may have; absent: all. */
    allowedEffects: jsonb().$type<ToolEffect[]>(),
    trustClass: text({ enum: trustClasses }).notNull().default("gateway"),
    agentId: uuid().references(() => agents.id, { onDelete: "cascade" }),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
    expiresAt: moment(),
    revokedAt: moment(),
    lastUsedAt: moment(),
  },
  (table) => [index().on(table.workspaceId, table.id)],
);

export const apiKeysText = declareText({
  stays: [apiKeys],
});
