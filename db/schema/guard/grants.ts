import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { KeptContents } from "../../../contracts/calls/call-contents";
import type { ActorRef } from "../../../contracts/common";
import { grantKinds, grantScopes, grantSeverities, type KeptMatch } from "../../../contracts/guard/grants";
import { createdAt, id, moment } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

/** Calls that somebody approved in advance. A revoked grant stays, for the history. */
export const grants = pgTable(
  "grants",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    scope: text({ enum: grantScopes }).notNull(),
    /** Id of the conversation, agent, person or API key; absent for the workspace. */
    scopeId: text(),
    tool: text().notNull(),
    /** Pin of the tool when the grant was made: the grant does not cover a changed tool. */
    pinHash: text(),
    match: jsonb().$type<KeptMatch>().notNull(),
    /** The files for whose contents the grant holds; absent when it holds whatever the files say. */
    contents: jsonb().$type<KeptContents>(),
    maxSeverity: text({ enum: grantSeverities }).notNull(),
    kind: text({ enum: grantKinds }).notNull(),
    expiresAt: moment(),
    note: text().notNull().default(""),
    /** The approval that created the grant; the approval may be deleted with its conversation. */
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

export const grantsText = declareText({
  goes: [{ table: grants, conversation: grants.scopeId, approval: grants.approvalId }],
});
