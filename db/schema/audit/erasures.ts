import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { erasureKinds, erasureStatuses } from "../../../contracts/audit/erasures";
import type { ActorRef } from "../../../contracts/common";
import { createdAt, id, moment } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

/** Erasures of persons. A row names the person by the id alone. */
export const erasures = pgTable(
  "erasures",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    kind: text({ enum: erasureKinds }).notNull(),
    personId: text().notNull(),
    status: text({ enum: erasureStatuses }).notNull().default("running"),
    step: text().notNull(),
    /** Rows that went so far, by their table. */
    counts: jsonb().$type<Record<string, number>>().notNull().default({}),
    auditEvents: bigint({ mode: "number" }).notNull().default(0),
    requestedBy: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
    finishedAt: moment(),
  },
  (table) => [index().on(table.workspaceId, table.id)],
);

export const erasureItemKinds = ["conversation", "blob", "row"] as const;

/**
 * Work that an erasure still has to do: conversations, contents of the blob store, and ids of rows that audit events may name.
 * Noted in the transaction that removes the rows, so that a killed process leaves nothing behind.
 */
export const erasureItems = pgTable(
  "erasure_items",
  {
    erasureId: uuid()
      .notNull()
      .references(() => erasures.id, { onDelete: "cascade" }),
    kind: text({ enum: erasureItemKinds }).notNull(),
    /** An id, or the SHA-256 of a content. */
    name: text().notNull(),
    isDone: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.erasureId, table.kind, table.name] })],
);

export const erasuresText = declareText({ stays: [erasures, erasureItems] });
