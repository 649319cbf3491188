import { workflowEndpoints } from "@/contracts/workflows";
import { removeWorkflow, updateWorkflow } from "@/server/families/workflows/manage-workflows";
import { route, versionMatched } from "@/server/http/route";

export const PUT = route(workflowEndpoints.update, ({ actor, params, body, request }) =>
  updateWorkflow(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(workflowEndpoints.remove, async ({ actor, params }) => {
  await removeWorkflow(actor, params.id);
  return {};
});
