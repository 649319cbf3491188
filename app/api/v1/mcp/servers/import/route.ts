import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route } from "@/server/http/route";
import { importServers } from "@/server/mcp/connect/foreign-config/import-servers";

export const POST = route(mcpServerEndpoints.importConfig, ({ actor, body }) => importServers(actor, body));
