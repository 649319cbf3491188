import { workflowEndpoints } from "@/contracts/workflows";
import { cancelWorkflowRun } from "@/server/families/workflows/workflow-runs";
import { route } from "@/server/http/route";

export const POST = route(workflowEndpoints.cancel, ({ actor, params }) => cancelWorkflowRun(actor, params.id));
