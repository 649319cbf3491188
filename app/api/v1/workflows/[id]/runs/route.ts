import { workflowEndpoints } from "@/contracts/workflows";
import { listWorkflowRuns, startWorkflow } from "@/server/families/workflows/workflow-runs";
import { readIdempotencyKey } from "@/server/http/idempotency-key";
import { route } from "@/server/http/route";

export const GET = route(workflowEndpoints.listRuns, ({ actor, params, query }) => listWorkflowRuns(actor, params.id, query));

export const POST = route(workflowEndpoints.start, ({ actor, params, body, request }) =>
  startWorkflow(actor, params.id, { input: body.input, idempotencyKey: readIdempotencyKey(request) }),
);
