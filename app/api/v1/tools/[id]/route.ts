import { toolEndpoints } from "@/contracts/tools";
import { route, versionMatched } from "@/server/http/route";
import { getTool } from "@/server/tools/get-tool";
import { updateTool } from "@/server/tools/update-tool";

export const GET = route(toolEndpoints.get, ({ actor, params }) => getTool(actor, params.id));
export const PUT = route(toolEndpoints.update, ({ actor, params, body, request }) =>
  updateTool(actor, params.id, body, versionMatched(request)),
);
export const PATCH = route(toolEndpoints.patch, ({ actor, params, body, request }) =>
  updateTool(actor, params.id, body, versionMatched(request)),
);
