import "server-only";
import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { WorkflowRun } from "@/contracts/automation/workflows";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { workflowRuns, workflowSteps } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { enqueue } from "@/server/platform/queue";
import type { WorkflowStart } from "@/server/runs/starts/workflow-starts";
import { presentWorkflowRun, type StepRow, type WorkflowRow, type WorkflowRunRow } from "./present-workflow";
import { advanceQueue } from "./workflow-queues";
import { mayReadPlan, workflows } from "./workflows";

/** Unfinished runs of one workflow at the same time. */
const maxOpenRuns = 20;

type Start = {
  input: string;
  idempotencyKey: string | null;
  depth?: number;
  by: ActorRef;
  requestId?: string | null;
  /** The conversation whose agent starts it. */
  orderedIn?: string;
};

/** Starts a workflow for the actor. @throws AppError `not_found`, `forbidden` for a key that is bound to one agent, `too_many_requests` */
export async function startWorkflow(
  actor: Authorized<"turns:write">,
  workflowId: string,
  { input, idempotencyKey }: { input: string; idempotencyKey: string | null },
): Promise<WorkflowRun> {
  if (actor.agentId) {
    throw new AppError(
      "forbidden",
      `The API key "${actor.name}" is bound to one agent and cannot start workflows. Use a key without an agent.`,
    );
  }
  const row = await db().transaction(async (tx) => {
    const workflow = await workflows.find(actor.workspaceId, workflowId, tx);
    return insertRun(tx, workflow, { input, idempotencyKey, by: actor, requestId: actor.requestId });
  });
  return presentWorkflowRun(row, await stepsOf([row.id]));
}

/** Starts a workflow that something else than its own family names. */
export const startForOthers: WorkflowStart = async (tx, { workspaceId, workflowId, ...start }) => {
  const workflow = await workflows.find(workspaceId, workflowId, tx);
  return { workflowRunId: (await insertRun(tx, workflow, start)).id };
};

/** Adds a run with its first work, in the caller's transaction. The same key returns the run that there is. */
export async function insertRun(tx: Db, workflow: WorkflowRow, { by, requestId = null, depth = 1, ...of }: Start): Promise<WorkflowRunRow> {
  const { id: workflowId, workspaceId, plan, name } = workflow;
  // The lock makes the limit and the key hold when two starts come at once.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`workflow:${workflowId}`}, 0))`);
  if (of.idempotencyKey) {
    const isIt = and(eq(workflowRuns.workflowId, workflowId), eq(workflowRuns.idempotencyKey, of.idempotencyKey));
    const [known] = await tx.select().from(workflowRuns).where(isIt);
    if (known) return known;
  }
  const open = await tx.$count(workflowRuns, and(eq(workflowRuns.workflowId, workflowId), eq(workflowRuns.status, "running")));
  if (open >= maxOpenRuns) {
    throw new AppError(
      "too_many_requests",
      `"${name}" has reached the limit of unfinished runs (${open}). Wait for the end of one, or cancel one.`,
    );
  }
  const [row] = await tx
    .insert(workflowRuns)
    .values({ ...of, workspaceId, workflowId, plan, depth, requestedBy: toActorRef(by) })
    .returning();
  if (!row) throw new Error("The run of a workflow was not inserted");
  await enqueue(tx, advanceQueue, [{ workspaceId, input: { workflowRunId: row.id } }]);
  const data = { workflowRunId: row.id, name, depth };
  await record(tx, { workspaceId, event: "workflow_run.started", actor: toActorRef(by), subject: workflowId, data, requestId });
  return row;
}

/**
 * Lists the runs of a workflow with their steps, newest first.
 * @throws AppError `not_found`, also for a key of one agent when other agents have a step
 */
export async function listWorkflowRuns(
  actor: Authorized<"turns:read">,
  workflowId: string,
  { limit = 50, cursor }: { limit?: number; cursor?: string | undefined } = {},
): Promise<{ items: WorkflowRun[]; nextCursor: string | null }> {
  if (!mayReadPlan(actor, (await workflows.find(actor.workspaceId, workflowId)).plan)) throw workflows.missing();
  const after = cursor === undefined ? undefined : lt(workflowRuns.id, decodeCursor(cursor, IdCursor)[0]);
  const found = await db()
    .select()
    .from(workflowRuns)
    .where(and(eq(workflowRuns.workflowId, workflowId), after))
    .orderBy(desc(workflowRuns.id))
    .limit(limit + 1);
  const page = toPage(found, limit, ({ id }) => [id]);
  // A run keeps the plan of its start, in which another agent may have had a step.
  const rows = page.rows.filter(({ plan }) => mayReadPlan(actor, plan));
  const steps = Map.groupBy(await stepsOf(rows.map(({ id }) => id)), ({ workflowRunId }) => workflowRunId);
  return { items: rows.map((row) => presentWorkflowRun(row, steps.get(row.id) ?? [])), nextCursor: page.nextCursor };
}

/** Cancels a run of a workflow; work that commits with it cancels the runs of its steps. @throws AppError `not_found` */
export async function cancelWorkflowRun(actor: Authorized<"turns:write">, id: string): Promise<WorkflowRun> {
  const { workspaceId, requestId } = actor;
  const row = await db().transaction(async (tx) => {
    const isIt = and(eq(workflowRuns.workspaceId, workspaceId), eq(workflowRuns.id, id));
    const [run] = await tx.select().from(workflowRuns).where(isIt).for("update");
    if (!run || actor.agentId) throw new AppError("not_found", "This run of a workflow does not exist. List the runs of the workflow.");
    if (run.status !== "running") return run;
    const cancelledBy = toActorRef(actor);
    const change = { status: "cancelled" as const, cancelledBy, finishedAt: sql`now()` };
    const [cancelled] = await tx.update(workflowRuns).set(change).where(isIt).returning();
    await tx
      .update(workflowSteps)
      .set({ status: "cancelled", error: "The workflow was cancelled.", finishedAt: sql`now()` })
      .where(and(eq(workflowSteps.workflowRunId, id), eq(workflowSteps.status, "running")));
    await enqueue(tx, advanceQueue, [{ workspaceId, input: { workflowRunId: id } }]);
    const data = { workflowRunId: id };
    await record(tx, { workspaceId, event: "workflow_run.cancelled", actor: cancelledBy, subject: run.workflowId, data, requestId });
    return cancelled ?? run;
  });
  return presentWorkflowRun(row, await stepsOf([id]));
}

async function stepsOf(runIds: readonly string[]): Promise<StepRow[]> {
  if (runIds.length === 0) return [];
  const { workflowRunId, round, position } = workflowSteps;
  return db()
    .select()
    .from(workflowSteps)
    .where(inArray(workflowRunId, [...runIds]))
    .orderBy(asc(round), asc(position));
}
