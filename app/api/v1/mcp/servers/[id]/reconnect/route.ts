import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route } from "@/server/http/route";
import { reconnectServer } from "@/server/mcp/connect/reconnect-server";

export const POST = route(mcpServerEndpoints.reconnect, ({ actor, params }) => reconnectServer(actor, params.id));
