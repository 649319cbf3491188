import { workflowEndpoints } from "@/contracts/workflows";
import { answer } from "@/server/endpoints/answer";
import { createWorkflow, listWorkflows, removeWorkflow, updateWorkflow } from "./manage-workflows";
import { cancelWorkflowRun, listWorkflowRuns, startWorkflow } from "./workflow-runs";

export const workflowAnswers = answer(workflowEndpoints, {
  list: ({ actor }) => listWorkflows(actor),
  create: ({ actor, body }) => createWorkflow(actor, body),
  update: ({ actor, params, body, version }) => updateWorkflow(actor, params.id, body, version),
  remove: ({ actor, params }) => removeWorkflow(actor, params.id),
  start: ({ actor, params, body, idempotencyKey }) => startWorkflow(actor, params.id, { input: body.input, idempotencyKey }),
  listRuns: ({ actor, params, query }) => listWorkflowRuns(actor, params.id, query),
  cancel: ({ actor, params }) => cancelWorkflowRun(actor, params.id),
});
