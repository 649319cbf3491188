import { workflowEndpoints } from "@/contracts/automation/workflows";
import { answer } from "@/server/endpoints/answer";
import { cancelWorkflowRun, listWorkflowRuns, startWorkflow } from "./workflow-runs";
import { listWorkflows, workflows } from "./workflows";

export const workflowAnswers = answer(workflowEndpoints, {
  list: ({ actor }) => listWorkflows(actor),
  create: workflows.create,
  update: workflows.update,
  remove: (request) => workflows.remove({ ...request, version: null }),
  start: ({ actor, params, body, idempotencyKey }) => startWorkflow(actor, params.id, { input: body.input, idempotencyKey }),
  listRuns: ({ actor, params, query }) => listWorkflowRuns(actor, params.id, query),
  cancel: ({ actor, params }) => cancelWorkflowRun(actor, params.id),
});
