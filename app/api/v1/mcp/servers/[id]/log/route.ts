import { mcpContentEndpoints } from "@/contracts/mcp-contents";
import { route } from "@/server/http/route";
import { readServerLog } from "@/server/mcp/connect/list-server-contents";

export const GET = route(mcpContentEndpoints.log, ({ actor, params }) => readServerLog(actor, params.id));
