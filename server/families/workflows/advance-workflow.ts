import "server-only";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { openRunStatuses } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { agents, conversations, runs, workflowRuns, workflowSteps, workflows } from "@/db/schema";
import { record } from "@/server/audit/record";
import { requirePermission, systemActor } from "@/server/auth/actor";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import type { Attempt } from "@/server/jobs/run-queue";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { tellHappening } from "@/server/platform/extension-points/happenings";
import { sendBack } from "@/server/platform/extension-points/ordered-results";
import type { EndedRun } from "@/server/platform/extension-points/run-ends";
import { enqueue } from "@/server/platform/queue";
import { cancelRun } from "@/server/runs/cancel-run";
import { mayStartLater, startRunFor } from "@/server/runs/starts/start-run-for";
import { openTriggered } from "@/server/runs/starts/trigger";
import { nextMove, type StepStart } from "./next-move";
import type { WorkflowRunRow } from "./present-workflow";
import { advanceQueue, stepQueue } from "./workflow-queues";

/**
 * Takes the next move of a workflow's run. The run's lock and the key of a step make each step start once, whatever number
 * of processes look. A cancelled run has its children cancelled.
 */
export async function advanceWorkflow({ workflowRunId }: { workflowRunId: string }): Promise<void> {
  const cancelled = await db().transaction(async (tx) => {
    const [run] = await tx.select().from(workflowRuns).where(eq(workflowRuns.id, workflowRunId)).for("update");
    if (!run) return null;
    if (run.status === "cancelled") return run;
    if (run.status === "running") await takeMove(tx, run);
    return null;
  });
  if (cancelled) await cancelChildren(cancelled);
}

async function takeMove(tx: Db, run: WorkflowRunRow): Promise<void> {
  const steps = await tx.select().from(workflowSteps).where(eq(workflowSteps.workflowRunId, run.id)).orderBy(asc(workflowSteps.id));
  const move = nextMove(run.plan, run.input, steps);
  if (move.kind === "wait") return;
  if (move.kind === "start") {
    for (const step of move.steps) await insertStep(tx, run, step);
    return;
  }
  const { status, answer, error } = move;
  await tx.update(workflowRuns).set({ status, answer, error, finishedAt: sql`now()` }).where(eq(workflowRuns.id, run.id));
  const [workflow] = await tx.select({ name: workflows.name }).from(workflows).where(eq(workflows.id, run.workflowId));
  const name = workflow?.name ?? "Workflow";
  await sendBackAnswer(tx, { ...run, answer, error }, name);
  const { id: workflowRunId, workflowId, workspaceId } = run;
  await tellHappening(tx, {
    ...{ kind: "workflow", workspaceId, workflowId, workflowRunId, workflow: name, status, answer, error },
    key: `workflow:${run.id}`,
  });
  const entry = { workspaceId: run.workspaceId, actor: systemActor, subject: run.workflowId };
  await record(tx, { ...entry, event: "workflow_run.finished", data: { workflowRunId: run.id, status, error } });
}

/** Brings the answer to the conversation that ordered the workflow, in the transaction in which it ends. */
async function sendBackAnswer(tx: Db, run: Pick<WorkflowRunRow, "id" | "orderedIn" | "answer" | "error">, title: string): Promise<void> {
  const text = [run.answer, run.error && `⚠️ ${run.error}`].filter(Boolean).join("\n\n");
  await sendBack(tx, { orderedIn: run.orderedIn, key: `workflow:${run.id}`, title, text });
}

/** Adds a step with its conversation, and queues the start of its agent. */
async function insertStep(tx: Db, run: WorkflowRunRow, { agentId, ...step }: StepStart): Promise<void> {
  const { workspaceId, id: workflowRunId } = run;
  const [agent] = await tx
    .select({ id: agents.id, name: agents.name })
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), eq(agents.id, agentId)));
  if (!agent) {
    const error = "Its agent was removed. Choose another one in the workflow.";
    await tx.insert(workflowSteps).values({ ...step, workflowRunId, status: "failed", error, finishedAt: sql`now()` });
    return enqueue(tx, advanceQueue, [{ workspaceId, input: { workflowRunId } }]);
  }
  const metadata = { workflow: { workflowId: run.workflowId, workflowRunId, step: step.name, round: step.round + 1 } };
  const conversationId = await openTriggered(tx, {
    workspaceId,
    agent,
    origin: "delegate",
    interactive: true,
    metadata,
    createdBy: run.requestedBy,
    by: systemActor,
    noted: metadata,
  });
  const [row] = await tx
    .insert(workflowSteps)
    .values({ ...step, workflowRunId, conversationId })
    .returning({ id: workflowSteps.id });
  if (!row) throw new Error("A step was not inserted");
  await enqueue(tx, stepQueue, [{ workspaceId, input: { stepId: row.id } }]);
}

const brokenInside =
  "The step could not start because of a failure inside Handrail. The server's log has the reason; start the workflow again.";

/** Starts the agent's run of a step; the step's id is the key, so a repeated attempt finds its run. */
export async function startStep({ stepId }: { stepId: string }, { number }: Pick<Attempt, "number">): Promise<void> {
  const [found] = await db()
    .select({ step: workflowSteps, run: workflowRuns, agentId: conversations.agentId })
    .from(workflowSteps)
    .innerJoin(workflowRuns, eq(workflowRuns.id, workflowSteps.workflowRunId))
    .innerJoin(conversations, eq(conversations.id, workflowSteps.conversationId))
    .where(and(eq(workflowSteps.id, stepId), eq(workflowSteps.status, "running")));
  if (!found) return;
  const { step, run, agentId } = found;
  const { workspaceId, requestedBy, id: workflowRunId } = run;
  try {
    const work = {
      workspaceId,
      agentId,
      conversationId: step.conversationId ?? "",
      message: step.prompt,
      idempotencyKey: `workflow:${stepId}`,
    };
    const { id: runId } = await startRunFor(requestedBy, work);
    await db().update(workflowSteps).set({ runId }).where(eq(workflowSteps.id, stepId));
    // A cancellation of this moment has not seen the run, so it looks again.
    await db().transaction((tx) => enqueue(tx, advanceQueue, [{ workspaceId, input: { workflowRunId } }]));
  } catch (error) {
    if (mayStartLater(error) && number < stepQueue.retry.attempts) throw error;
    await db().transaction((tx) =>
      endStep(tx, stepId, { status: "failed", answer: null, error: isAppError(error) ? error.message : brokenInside }),
    );
  }
}

/** Ends the step of an agent's run, in the transaction in which the run ends. */
export async function followRun(tx: Db, { conversationId, status, answer, error }: EndedRun): Promise<void> {
  const isIts = and(eq(workflowSteps.conversationId, conversationId), eq(workflowSteps.status, "running"));
  const [step] = await tx.select({ id: workflowSteps.id }).from(workflowSteps).where(isIts);
  if (!step) return;
  if (status === "succeeded") await endStep(tx, step.id, { status, answer, error: null });
  else if (status === "cancelled") await endStep(tx, step.id, { status, answer, error: "Its run was cancelled." });
  else await endStep(tx, step.id, { status: "failed", answer, error: error ?? "Its run failed." });
}

type StepEnd = { status: "succeeded" | "failed" | "cancelled"; answer: string | null; error: string | null };

async function endStep(tx: Db, stepId: string, end: StepEnd): Promise<void> {
  const [step] = await tx
    .update(workflowSteps)
    .set({ ...end, finishedAt: sql`now()` })
    .where(and(eq(workflowSteps.id, stepId), eq(workflowSteps.status, "running")))
    .returning({ workflowRunId: workflowSteps.workflowRunId });
  if (!step) return;
  const { workflowRunId } = step;
  const [run] = await tx.select({ workspaceId: workflowRuns.workspaceId }).from(workflowRuns).where(eq(workflowRuns.id, workflowRunId));
  if (run) await enqueue(tx, advanceQueue, [{ workspaceId: run.workspaceId, input: { workflowRunId } }]);
}

/** Cancels the unfinished runs of a cancelled workflow run, for whoever cancelled it. */
async function cancelChildren({ id, workspaceId, cancelledBy, requestedBy }: WorkflowRunRow): Promise<void> {
  const open = await db()
    .select({ id: runs.id })
    .from(workflowSteps)
    .innerJoin(runs, eq(runs.conversationId, workflowSteps.conversationId))
    .where(and(eq(workflowSteps.workflowRunId, id), inArray(runs.status, [...openRunStatuses])));
  if (open.length === 0) return;
  const actor = requirePermission(await actorFromRef(cancelledBy ?? requestedBy, { workspaceId, requestId: id }), "turns:write");
  for (const run of open) await cancelRun(actor, run.id, new AbortController().signal);
}

/** Queues running workflows whose work item was lost. */
export async function findLostWorkflows(): Promise<void> {
  await db().transaction(async (tx) => {
    const lost = await tx
      .select({ workflowRunId: workflowRuns.id, workspaceId: workflowRuns.workspaceId })
      .from(workflowRuns)
      .where(eq(workflowRuns.status, "running"))
      .limit(500);
    await enqueue(
      tx,
      advanceQueue,
      lost.map(({ workflowRunId, workspaceId }) => ({ workspaceId, input: { workflowRunId } })),
    );
  });
}
