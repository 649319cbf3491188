import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { approvalKinds, approvalStatuses, type DecisionPlace } from "../../contracts/approvals/approvals";
import type { KeptContents } from "../../contracts/calls/call-contents";
import type { ActorRef, JsonObject } from "../../contracts/common";
import type { Delegator } from "../../contracts/conversations/delegator";
import { type Decision, severities } from "../../contracts/decisions/decision";
import type { Role } from "../../contracts/permissions";
import { toolEffects, toolSources } from "../../contracts/tools/tools";
import { createdAt, id, moment } from "../columns";
import { conversations } from "./conversations";
import { toolCalls, turns } from "./turns";
import { workspaces } from "./workspaces";

type NamedUser = { id: string; name: string };

/** Eligible approvers, with the users' names at the time of the request. Absent: everyone with the permission. */
export type Approvers = {
  roles: Role[];
  users: NamedUser[];
  /** Additional approvers after the escalation time. */
  escalation: { roles: Role[]; users: NamedUser[] } | null;
};

/** A question of a running tool to a person. `url`: an address that the asked person is to open. */
export type AskedQuestion = { number: number; text: string; options: string[]; url?: string; answer: string | null };

export const approvals = pgTable(
  "approvals",
  {
    id: id(),
    kind: text({ enum: approvalKinds }).notNull().default("call"),
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
    /** Arguments as shown, with secrets masked; the call holds the arguments that run. */
    arguments: jsonb().$type<JsonObject>().notNull(),
    /** SHA-256 of canonical tool name, canonical parsed arguments and the tool's schema hash. */
    argumentsDigest: text().notNull(),
    decision: jsonb().$type<Decision>().notNull(),
    /** The rule that requires approval; absent when a finding or the default policy requires it. */
    ruleId: text(),
    ruleName: text(),
    /** The call in one line, secrets masked. */
    summary: text().notNull().default(""),
    /** The summary with literals removed, so that calls of one kind are equal. */
    shape: text().notNull().default(""),
    risk: text({ enum: severities }).notNull().default("info"),
    /** Lower-case text for searches. */
    searchText: text().generatedAlwaysAs(
      sql`lower(summary || ' ' || tool_name || ' ' || tool_title || ' ' || agent || ' ' || coalesce(requested_by ->> 'name', ''))`,
    ),
    /** Set for the kind `question` only. */
    question: jsonb().$type<AskedQuestion>(),
    status: text({ enum: approvalStatuses }).notNull().default("pending"),
    requestedBy: jsonb().$type<ActorRef>().notNull(),
    /** Agents that handed the task on, nearest first. */
    delegators: jsonb().$type<Delegator[]>().notNull().default([]),
    requestedAt: createdAt(),
    expiresAt: moment().notNull(),
    decidedAt: moment(),
    decidedBy: jsonb().$type<ActorRef>(),
    decidedFrom: jsonb().$type<DecisionPlace>(),
    comment: text().notNull().default(""),
    approvers: jsonb().$type<Approvers>(),
    /** The person who submitted the call may not decide it. */
    requesterExcluded: boolean().notNull().default(false),
    quorumNeeded: integer().notNull().default(1),
    /** Ids of the people who voted to approve, also with API keys. Stored in the row, so that one statement adds a vote and counts. */
    approvedBy: text().array().notNull().default([]),
    escalatesAt: moment(),
    /** Time at which the escalation was announced; the additional approvers may decide from `escalatesAt` on. */
    escalatedAt: moment(),
    /** Arguments after an approver's edit, with secrets masked; the call holds the arguments that run. */
    editedArguments: jsonb().$type<JsonObject>(),
    /** Decision on the edited arguments. */
    editedDecision: jsonb().$type<Decision>(),
    drift: jsonb().$type<string[]>().notNull().default([]),
    /** The files for whose contents the approval holds; absent for a call that no file decides. */
    contents: jsonb().$type<KeptContents>(),
  },
  (table) => [
    uniqueIndex("approvals_one_pending").on(table.callId).where(sql`${table.status} = 'pending'`),
    index().on(table.workspaceId, table.status, table.id),
    index().on(table.workspaceId, table.status, table.expiresAt, table.id),
    index().on(table.turnId),
    // Covers all columns that a group shows, so that groups are counted without reading the rows.
    index("approvals_pending_groups")
      .on(table.workspaceId, table.ruleId, table.ruleName, table.toolName, table.kind, table.shape, table.risk, table.expiresAt)
      .where(sql`${table.status} = 'pending'`),
    index("approvals_next_expiry").on(table.expiresAt).where(sql`${table.status} = 'pending'`),
    index("approvals_next_escalation")
      .on(table.escalatesAt)
      .where(sql`${table.status} = 'pending' and ${table.escalatesAt} is not null and ${table.escalatedAt} is null`),
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
  // One vote per person.
  (table) => [uniqueIndex("approval_votes_one_each").on(table.approvalId, sql`(${table.actor} ->> 'id')`)],
);
