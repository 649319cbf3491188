import { index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { type WorkflowPlan, workflowStatuses } from "../../../contracts/automation/workflows";
import type { ActorRef } from "../../../contracts/common";
import { createdAt, id, moment, times } from "../../columns";
import { declareText } from "../../personal-text";
import { conversations } from "../conversations";
import { runs } from "../runs";
import { workspaces } from "../workspaces";

const workspaceId = () =>
  uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });

/** Saved compositions of agents. */
export const workflows = pgTable(
  "workflows",
  {
    id: id(),
    workspaceId: workspaceId(),
    name: text().notNull(),
    description: text().notNull(),
    plan: jsonb().$type<WorkflowPlan>().notNull(),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);

/** Runs of workflows, with the plan of their start. */
export const workflowRuns = pgTable(
  "workflow_runs",
  {
    id: id(),
    workspaceId: workspaceId(),
    workflowId: uuid()
      .notNull()
      .references(() => workflows.id, { onDelete: "cascade" }),
    status: text({ enum: workflowStatuses }).notNull().default("running"),
    plan: jsonb().$type<WorkflowPlan>().notNull(),
    input: text().notNull(),
    idempotencyKey: text(),
    /** Workflow runs that led to this one, this one included. */
    depth: integer().notNull(),
    requestedBy: jsonb().$type<ActorRef>().notNull(),
    cancelledBy: jsonb().$type<ActorRef>(),
    /** The conversation whose agent started it; its chat gets the answer. */
    orderedIn: uuid().references(() => conversations.id, { onDelete: "set null" }),
    answer: text(),
    error: text(),
    finishedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex().on(table.workflowId, table.idempotencyKey),
    index().on(table.orderedIn),
    index().on(table.workflowId, table.id),
    index().on(table.workspaceId),
  ],
);

/** Steps of workflow runs: each is a run of an agent in a conversation of its own. */
export const workflowSteps = pgTable(
  "workflow_steps",
  {
    id: id(),
    workflowRunId: uuid()
      .notNull()
      .references(() => workflowRuns.id, { onDelete: "cascade" }),
    round: integer().notNull(),
    /** Place in the plan, from 0. */
    position: integer().notNull(),
    name: text().notNull(),
    prompt: text().notNull(),
    status: text({ enum: workflowStatuses }).notNull().default("running"),
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    runId: uuid().references(() => runs.id, { onDelete: "set null" }),
    answer: text(),
    error: text(),
    finishedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex().on(table.workflowRunId, table.round, table.position),
    index().on(table.conversationId),
    index().on(table.runId),
  ],
);

export const workflowsText = declareText({
  goes: [
    { table: workflowSteps, conversation: workflowSteps.conversationId },
    { table: workflowRuns, author: workflowRuns.requestedBy },
    { table: workflows, maker: workflows.createdBy },
  ],
});
