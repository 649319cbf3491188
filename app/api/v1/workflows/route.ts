import { workflowEndpoints } from "@/contracts/workflows";
import { createWorkflow, listWorkflows } from "@/server/families/workflows/manage-workflows";
import { route } from "@/server/http/route";

export const GET = route(workflowEndpoints.list, ({ actor }) => listWorkflows(actor));

export const POST = route(workflowEndpoints.create, ({ actor, body }) => createWorkflow(actor, body));
