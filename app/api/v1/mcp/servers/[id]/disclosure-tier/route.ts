import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route, versionMatched } from "@/server/http/route";
import { setServerTier } from "@/server/mcp/connect/set-server-tier";

export const PUT = route(mcpServerEndpoints.setTier, ({ actor, params, body, request }) =>
  setServerTier(actor, params.id, body.tier, versionMatched(request)),
);
