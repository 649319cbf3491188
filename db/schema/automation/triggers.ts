import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { type endedRunStatuses, firingOutcomes, triggerKinds } from "../../../contracts/automation/triggers";
import type { ActorRef } from "../../../contracts/common";
import { createdAt, id, moment, times } from "../../columns";
import { declareText, type PersonKey } from "../../personal-text";
import { agents } from "../agents";
import { conversations } from "../conversations";
import { messengers } from "../messengers/messengers";
import { runs } from "../runs";
import { workspaces } from "../workspaces";
import { workflowRuns, workflows } from "./workflows";

const ofWorkspace = () =>
  uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });
const agent = () => uuid().references(() => agents.id, { onDelete: "cascade" });
const workflow = () => uuid().references(() => workflows.id, { onDelete: "cascade" });

/** Start agents and workflows when something happens. */
export const triggers = pgTable(
  "triggers",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    name: text().notNull(),
    kind: text({ enum: triggerKinds }).notNull(),
    messengerId: uuid().references(() => messengers.id, { onDelete: "cascade" }),
    words: jsonb().$type<string[]>().notNull().default([]),
    ofAgentId: agent(),
    statuses: jsonb().$type<(typeof endedRunStatuses)[number][]>().notNull().default([]),
    ofWorkflowId: workflow(),
    agentId: agent(),
    workflowId: workflow(),
    template: text().notNull(),
    enabled: boolean().notNull(),
    /** The secret of a webhook, sealed. */
    secretSealed: text(),
    lastFiredAt: moment(),
    lastError: text(),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [
    unique().on(table.workspaceId, table.name),
    index().on(table.messengerId),
    index().on(table.ofAgentId),
    index().on(table.ofWorkflowId),
    index().on(table.agentId),
    index().on(table.workflowId),
  ],
);

/** Events that started triggers, kept for 30 days. */
export const triggerFirings = pgTable(
  "trigger_firings",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    triggerId: uuid()
      .notNull()
      .references(() => triggers.id, { onDelete: "cascade" }),
    /** Names what happened, so that it fires a trigger once. */
    key: text().notNull(),
    /** The messenger and the address from which a message came. */
    messengerId: uuid().references(() => messengers.id, { onDelete: "set null" }),
    senderId: text(),
    /** SHA-256 of the payload. */
    digest: text().notNull(),
    /** The filled template, secrets masked. */
    text: text().notNull(),
    /** Triggers that led to this one, this one included. */
    depth: integer().notNull(),
    outcome: text({ enum: firingOutcomes }).notNull().default("waiting"),
    reason: text(),
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    runId: uuid().references(() => runs.id, { onDelete: "set null" }),
    workflowRunId: uuid().references(() => workflowRuns.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.triggerId, table.key),
    index().on(table.triggerId, table.id),
    index().on(table.workspaceId),
    index().on(table.conversationId),
    index().on(table.runId),
    index().on(table.workflowRunId),
    index().on(table.messengerId, table.senderId),
    index("trigger_firings_open").on(table.id).where(sql`${table.outcome} = 'waiting'`),
  ],
);

const byAddressOf = ({ id }: PersonKey) => sql`exists (select from contact_addresses a where a.contact_id::text = ${id}
  and a.messenger_id = ${triggerFirings.messengerId} and a.address = ${triggerFirings.senderId})`;

export const triggersText = declareText({
  goes: [
    { table: triggerFirings, conversation: triggerFirings.conversationId, run: triggerFirings.runId, rows: byAddressOf },
    { table: triggers, maker: triggers.createdBy },
  ],
});
