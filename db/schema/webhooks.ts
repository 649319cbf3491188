import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { JsonObject } from "../../contracts/common";
import { deliveryStatuses, type WebhookEventName, webhookEventNames } from "../../contracts/hooks/webhooks";
import { id, moment, times } from "../columns";
import { declareText } from "../personal-text";
import { workspaces } from "./workspaces";

/** Addresses of a workspace that receive events. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    url: text().notNull(),
    events: jsonb().$type<WebhookEventName[]>().notNull(),
    /** Sealed. */
    secret: text().notNull(),
    enabled: boolean().notNull().default(true),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);

/** One event for one address, tried until the receiver takes it or a day has passed. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** Absent: the delivery goes to the callbackUrl of a turn. */
    webhookId: uuid().references(() => webhooks.id, { onDelete: "cascade" }),
    turnId: uuid(),
    event: text({ enum: webhookEventNames }).notNull(),
    url: text().notNull(),
    payload: jsonb().$type<JsonObject>().notNull(),
    status: text({ enum: deliveryStatuses }).notNull().default("pending"),
    attempts: integer().notNull().default(0),
    nextAttemptAt: moment(),
    /** HTTP status of the last answer. */
    lastStatus: integer(),
    lastError: text(),
    lastAttemptAt: moment(),
    deliveredAt: moment(),
    ...times,
  },
  (table) => [
    index().on(table.workspaceId, table.id),
    index().on(table.webhookId, table.id),
    index("webhook_deliveries_due").on(table.nextAttemptAt).where(sql`${table.status} = 'pending'`),
  ],
);

export const webhooksText = declareText({
  goes: [{ table: webhookDeliveries, turn: webhookDeliveries.turnId, mentions: webhookDeliveries.payload }],
  stays: [webhooks],
});
