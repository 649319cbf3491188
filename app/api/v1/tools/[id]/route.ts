import { httpToolEndpoints } from "@/contracts/http-tools";
import { toolEndpoints } from "@/contracts/tools";
import { removeHttpTool } from "@/server/families/http-tools/change-http-tools";
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

export const DELETE = route(httpToolEndpoints.remove, async ({ actor, params, request }) => {
  await removeHttpTool(actor, params.id, versionMatched(request));
  return {};
});
