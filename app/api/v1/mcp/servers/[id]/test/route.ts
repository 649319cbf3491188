import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route } from "@/server/http/route";
import { testServer } from "@/server/mcp/connect/test-server";

export const POST = route(mcpServerEndpoints.test, ({ actor, params, signal }) => testServer(actor, params.id, signal));
