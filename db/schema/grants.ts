import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../contracts/common";
import { type GrantMatch, grantKinds, grantScopes, grantSeverities } from "../../contracts/grants";
import { createdAt, id, moment } from "../columns";
import { workspaces } from "./workspaces";

/** What a grant covers. Where secrets of exact arguments are masked, the SHA-256 of what they were stands for them. */
export type KeptMatch = GrantMatch | (Extract<GrantMatch, { kind: "exact" }> & { digest: string });

/** Calls that somebody approved in advance. A revoked grant stays, as a thing that was. */
export const grants = pgTable(
  "grants",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    scope: text({ enum: grantScopes }).notNull(),
    /** Id of the conversation, the agent or the person or key; absent for the workspace. */
    scopeId: text(),
    tool: text().notNull(),
    match: jsonb().$type<KeptMatch>().notNull(),
    maxSeverity: text({ enum: grantSeverities }).notNull(),
    kind: text({ enum: grantKinds }).notNull(),
    expiresAt: moment(),
    note: text().notNull().default(""),
    /** The approval that it was made with, which may be gone with its conversation. */
    approvalId: uuid(),
    grantedBy: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
    revokedBy: jsonb().$type<ActorRef>(),
    revokedAt: moment(),
    uses: integer().notNull().default(0),
    lastUsedAt: moment(),
  },
  (table) => [index().on(table.workspaceId, table.id), index().on(table.scopeId)],
);
