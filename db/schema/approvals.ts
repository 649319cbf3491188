import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { approvalStatuses } from "../../contracts/approvals";
import type { ActorRef, JsonObject } from "../../contracts/common";
import type { Decision } from "../../contracts/decision";
import { toolEffects, toolSources } from "../../contracts/tools";
import { createdAt, id, moment } from "../columns";
import { conversations } from "./conversations";
import { toolCalls, turns } from "./turns";
import { workspaces } from "./workspaces";

export const approvals = pgTable(
  "approvals",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    turnId: uuid()
      .notNull()
      .references(() => turns.id, { onDelete: "cascade" }),
    callId: uuid()
      .notNull()
      .references(() => toolCalls.id, { onDelete: "cascade" }),
    agent: text().notNull(),
    toolName: text().notNull(),
    toolTitle: text().notNull(),
    toolSource: text({ enum: toolSources }).notNull(),
    toolEffect: text({ enum: toolEffects }).notNull(),
    primaryArgument: text(),
    /** As they are shown, with secrets masked; the call has those that are run. */
    arguments: jsonb().$type<JsonObject>().notNull(),
    /** SHA-256 of canonical tool name, canonical parsed arguments and the tool's schema hash. */
    argumentsDigest: text().notNull(),
    decision: jsonb().$type<Decision>().notNull(),
    status: text({ enum: approvalStatuses }).notNull().default("pending"),
    requestedBy: jsonb().$type<ActorRef>().notNull(),
    requestedAt: createdAt(),
    expiresAt: moment().notNull(),
    decidedAt: moment(),
    decidedBy: jsonb().$type<ActorRef>(),
    comment: text().notNull().default(""),
    quorumNeeded: integer().notNull().default(1),
    drift: jsonb().$type<string[]>().notNull().default([]),
  },
  (table) => [
    uniqueIndex("approvals_one_pending").on(table.callId).where(sql`${table.status} = 'pending'`),
    index().on(table.workspaceId, table.status, table.id),
    index().on(table.turnId),
  ],
);

export const approvalVotes = pgTable(
  "approval_votes",
  {
    id: id(),
    approvalId: uuid()
      .notNull()
      .references(() => approvals.id, { onDelete: "cascade" }),
    actor: jsonb().$type<ActorRef>().notNull(),
    decision: text({ enum: ["approve", "reject"] }).notNull(),
    comment: text().notNull().default(""),
    at: createdAt(),
  },
  (table) => [index().on(table.approvalId)],
);
