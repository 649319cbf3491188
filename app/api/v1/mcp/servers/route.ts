import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route } from "@/server/http/route";
import { createServer } from "@/server/mcp/connect/create-server";
import { listServers } from "@/server/mcp/connect/list-servers";

export const GET = route(mcpServerEndpoints.list, ({ actor, query }) => listServers(actor, query));

export const POST = route(mcpServerEndpoints.create, ({ actor, body }) => createServer(actor, body));
