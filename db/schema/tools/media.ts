import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { JsonObject } from "../../../contracts/common";
import { type MediaKind, type MediaProviderId, mediaKinds, mediaProviderIds, mediaTaskStatuses } from "../../../contracts/models/media";
import type { RunModel } from "../../../contracts/runs/runs";
import { id, times } from "../../columns";
import { declareText } from "../../personal-text";
import { conversations } from "../conversations";
import { workspaces } from "../workspaces";

/** `key` is sealed; `models` has the chosen models only. */
export type StoredMediaProvider = {
  id: MediaProviderId;
  enabled: boolean;
  address: string | null;
  key: string | null;
  models: Partial<Record<MediaKind, string>>;
};

/** The media providers of a workspace in their order; without a row, the defaults apply. */
export const mediaSettings = pgTable("media_settings", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  providers: jsonb().$type<StoredMediaProvider[]>().notNull().default([]),
  analysisModel: jsonb().$type<RunModel>(),
  version: integer().notNull().default(1),
  ...times,
});

/**
 * Paid requests to media providers, one a call. The row is written before a request leaves, and it holds the provider's own
 * id of the work, so that a call that starts again goes on waiting instead of paying again.
 */
export const mediaTasks = pgTable(
  "media_tasks",
  {
    id: id(),
    workspaceId: uuid().notNull(),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    callId: uuid().notNull().unique(),
    kind: text({ enum: mediaKinds }).notNull(),
    provider: text({ enum: mediaProviderIds }).notNull(),
    model: text().notNull(),
    status: text({ enum: mediaTaskStatuses }).notNull(),
    /** The provider's ids of the work; absent until it accepted the request. */
    handle: jsonb().$type<JsonObject>(),
    /** Why the task failed, for the model. */
    error: text(),
    ...times,
  },
  (table) => [index().on(table.conversationId, table.id)],
);

export const mediaText = declareText({
  stays: [mediaSettings],
});
