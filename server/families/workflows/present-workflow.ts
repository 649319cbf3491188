import type { Workflow, WorkflowRun } from "@/contracts/automation/workflows";
import type { workflowRuns, workflowSteps, workflows } from "@/db/schema";

export type WorkflowRow = typeof workflows.$inferSelect;
export type WorkflowRunRow = typeof workflowRuns.$inferSelect;
export type StepRow = typeof workflowSteps.$inferSelect;

/** Converts a workflow's row to its public form; no other code does. */
export function presentWorkflow(row: WorkflowRow): Workflow {
  const { id, name, description, plan, createdBy, version } = row;
  return {
    id,
    name,
    description,
    plan,
    createdBy,
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** @param steps of the run, in order */
export function presentWorkflowRun(row: WorkflowRunRow, steps: readonly StepRow[]): WorkflowRun {
  const { id, workflowId, status, input, answer, error, requestedBy } = row;
  return {
    ...{ id, workflowId, status, input, answer, error, requestedBy },
    steps: steps.map(({ id, round, name, status, runId, conversationId, answer, error }) => {
      return { id, round: round + 1, name, status, runId, conversationId, answer, error };
    }),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
