import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route } from "@/server/http/route";
import { exportServers } from "@/server/mcp/connect/foreign-config/export-servers";

export const GET = route(mcpServerEndpoints.exportConfig, ({ actor, query }) => exportServers(actor, query.format));
