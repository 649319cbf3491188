import "server-only";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Workflow, WorkflowDraft, WorkflowPlan } from "@/contracts/workflows";
import type { Db } from "@/db/client";
import { agents, workflowRuns, workflows } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { isUniqueViolation } from "@/server/platform/sql-state";
import { presentWorkflow, type WorkflowRow } from "./present-workflow";

const mostWorkflows = 200;

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
  tx.select().from(workflows).where(eq(workflows.workspaceId, workspaceId)).orderBy(asc(workflows.name));

/** @throws AppError `not_found`, also for another workspace's workflow */
export async function findWorkflow(tx: Db, workspaceId: string, id: string): Promise<WorkflowRow> {
  const [row] = await tx.select().from(workflows).where(ofWorkspace(workspaceId, id));
  if (!row) throw missingWorkflow();
  return row;
}

/** Adds a workflow. @throws AppError `conflict` for a taken name, `invalid` for an agent that does not exist */
export async function createWorkflow(actor: Authorized<"workflows:write">, draft: WorkflowDraft): Promise<Workflow> {
  const { workspaceId, requestId } = actor;
  const change = db().transaction(async (tx) => {
    await assertAgents(tx, workspaceId, draft);
    if ((await tx.$count(workflows, eq(workflows.workspaceId, workspaceId))) >= mostWorkflows) {
      throw new AppError("conflict", `A workspace has at most ${mostWorkflows} workflows. Remove one that is not needed any more.`);
    }
    const [row] = await tx
      .insert(workflows)
      .values({ ...draft, workspaceId, createdBy: toActorRef(actor) })
      .returning();
    if (!row) throw new Error("The workflow was not inserted");
    await record(tx, { workspaceId, event: "workflow.created", actor: toActorRef(actor), subject: row.id, data: draft, requestId });
    return presentWorkflow(row);
  });
  return change.catch(asTakenName(draft));
}

/**
 * Replaces a workflow; runs that have begun keep their plan.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `conflict`, `invalid`
 */
export async function updateWorkflow(
  actor: Authorized<"workflows:write">,
  id: string,
  draft: WorkflowDraft,
  version: number | null,
): Promise<Workflow> {
  const { workspaceId, requestId } = actor;
  const change = db().transaction(async (tx) => {
    const [before] = await tx.select().from(workflows).where(ofWorkspace(workspaceId, id)).for("update");
    if (!before) throw missingWorkflow();
    if (version !== null && version !== before.version) {
      throw new AppError(
        "stale_version",
        `"${before.name}" was changed by somebody else meanwhile. Reload the workflow, then repeat your change.`,
      );
    }
    await assertAgents(tx, workspaceId, draft);
    const [row] = await tx
      .update(workflows)
      .set({ ...draft, version: sql`${workflows.version} + 1` })
      .where(eq(workflows.id, id))
      .returning();
    if (!row) throw new Error("A locked workflow was not updated");
    const { name, description, plan } = before;
    const data = { ...draft, before: { name, description, plan } };
    await record(tx, { workspaceId, event: "workflow.updated", actor: toActorRef(actor), subject: id, data, requestId });
    return presentWorkflow(row);
  });
  return change.catch(asTakenName(draft));
}

/** Removes a workflow with its history. @throws AppError `not_found`, `conflict` while it runs */
export async function removeWorkflow(actor: Authorized<"workflows:write">, id: string): Promise<void> {
  const { workspaceId, requestId } = actor;
  await db().transaction(async (tx) => {
    const [row] = await tx.select().from(workflows).where(ofWorkspace(workspaceId, id)).for("update");
    if (!row) throw missingWorkflow();
    const open = await tx.$count(workflowRuns, and(eq(workflowRuns.workflowId, id), eq(workflowRuns.status, "running")));
    if (open > 0)
      throw new AppError(
        "conflict",
        `"${row.name}" still has unfinished runs (${open}). Wait for their end or cancel them, then remove it.`,
      );
    await tx.delete(workflows).where(eq(workflows.id, id));
    const { name, description, plan } = row;
    const data = { name, description, plan };
    await record(tx, { workspaceId, event: "workflow.removed", actor: toActorRef(actor), subject: id, data, requestId });
  });
}

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

const asTakenName =
  ({ name }: WorkflowDraft) =>
  (error: unknown): never => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `There is a workflow named "${name}" already. Choose another name.`, {
      errors: [{ path: "name", message: "is taken" }],
    });
  };

const ofWorkspace = (workspaceId: string, id: string) => and(eq(workflows.workspaceId, workspaceId), eq(workflows.id, id));

export const missingWorkflow = () =>
  new AppError("not_found", "This workflow does not exist. It may have been removed; list the workflows.");
