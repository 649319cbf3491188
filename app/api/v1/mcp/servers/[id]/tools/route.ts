import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route } from "@/server/http/route";
import { listServerTools } from "@/server/mcp/connect/list-server-tools";

export const GET = route(mcpServerEndpoints.tools, ({ actor, params }) => listServerTools(actor, params.id));
