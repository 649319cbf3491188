import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route, versionMatched } from "@/server/http/route";
import { getServer } from "@/server/mcp/connect/get-server";
import { removeServer } from "@/server/mcp/connect/remove-server";
import { patchServer, updateServer } from "@/server/mcp/connect/update-server";

export const GET = route(mcpServerEndpoints.get, ({ actor, params }) => getServer(actor, params.id));

export const PUT = route(mcpServerEndpoints.update, ({ actor, params, body, request }) =>
  updateServer(actor, params.id, body, versionMatched(request)),
);

export const PATCH = route(mcpServerEndpoints.patch, ({ actor, params, body, request }) =>
  patchServer(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(mcpServerEndpoints.remove, ({ actor, params, request }) =>
  removeServer(actor, params.id, versionMatched(request)),
);
