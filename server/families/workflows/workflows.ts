import "server-only";
import { and, asc, eq, inArray } from "drizzle-orm";
import { type Workflow, type WorkflowDraft, type WorkflowPlan, workflowEndpoints } from "@/contracts/automation/workflows";
import type { Db } from "@/db/client";
import { agents, workflowRuns, workflows as workflowTable } from "@/db/schema";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { defineResource } from "@/server/resources/define-resource";
import { presentWorkflow, type WorkflowRow } from "./present-workflow";

const maxWorkflows = 200;

/** Workflows; runs that have begun keep their plan when it changes, and a workflow that runs is not removed. */
export const workflows = defineResource({
  table: workflowTable,
  endpoints: workflowEndpoints,
  noun: "workflow",
  title: ({ name }) => `"${name}"`,
  present: (rows) => rows.map(presentWorkflow),
  inAudit: ({ name, description, plan }) => ({ name, description, plan }),
  isUncached: true,
  toColumns: async (draft, { before, actor, tx }) => {
    await assertAgents(tx, actor.workspaceId, draft);
    if (before) return draft;
    if ((await tx.$count(workflowTable, eq(workflowTable.workspaceId, actor.workspaceId))) >= maxWorkflows) {
      throw new AppError("conflict", `A workspace has at most ${maxWorkflows} workflows. Remove one that is not needed any more.`);
    }
    return { ...draft, createdBy: toActorRef(actor) };
  },
  assertRemovable: async ({ id, name }, tx) => {
    const open = await tx.$count(workflowRuns, and(eq(workflowRuns.workflowId, id), eq(workflowRuns.status, "running")));
    if (open === 0) return;
    const message = `"${name}" still has unfinished runs (${open}). Wait for their end or cancel them, then remove it.`;
    throw new AppError("conflict", message);
  },
});

/** Lists the workflows of a workspace by name; a key that is bound to one agent sees those of its agent alone. */
export async function listWorkflows(actor: Authorized<"turns:read">): Promise<{ items: Workflow[] }> {
  const all = await loadWorkflows(db(), actor.workspaceId);
  return { items: all.filter(({ plan }) => mayReadPlan(actor, plan)).map(presentWorkflow) };
}

/**
 * Whether an actor may read a plan and its answers. A key that is bound to one agent must not read prompts and answers of another
 * agent, so every step must be of its own.
 */
export const mayReadPlan = ({ agentId }: { agentId: string | null }, plan: WorkflowPlan): boolean =>
  agentId === null || plan.steps.every((step) => step.agentId === agentId);

export const loadWorkflows = (tx: Db, workspaceId: string): Promise<WorkflowRow[]> =>
  tx.select().from(workflowTable).where(eq(workflowTable.workspaceId, workspaceId)).orderBy(asc(workflowTable.name));

async function assertAgents(tx: Db, workspaceId: string, { plan }: WorkflowDraft): Promise<void> {
  const wanted = plan.steps.map(({ agentId }) => agentId);
  const known = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), inArray(agents.id, wanted)));
  const ids = new Set(known.map(({ id }) => id));
  const unknown = wanted.findIndex((agentId) => !ids.has(agentId));
  if (unknown === -1) return;
  const message = "There is no such agent in this workspace.";
  throw new AppError("invalid", message, { errors: [{ path: `plan.steps.${unknown}.agentId`, message }] });
}
