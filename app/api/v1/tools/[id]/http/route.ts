import { httpToolEndpoints } from "@/contracts/http-tools";
import { updateHttpTool } from "@/server/families/http-tools/change-http-tools";
import { presentHttpTool } from "@/server/families/http-tools/present-http-tool";
import { route, versionMatched } from "@/server/http/route";

export const GET = route(httpToolEndpoints.get, ({ actor, params }) => presentHttpTool(actor.workspaceId, params.id));

export const PUT = route(httpToolEndpoints.update, ({ actor, params, body, request }) =>
  updateHttpTool(actor, params.id, body, versionMatched(request)),
);
