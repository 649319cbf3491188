import { mcpContentEndpoints } from "@/contracts/mcp-contents";
import { route } from "@/server/http/route";
import { listServerResources } from "@/server/mcp/connect/list-server-contents";

export const GET = route(mcpContentEndpoints.resources, ({ actor, params, query }) => listServerResources(actor, params.id, query));
