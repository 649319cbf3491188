import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { route } from "@/server/http/route";
import { testServer } from "@/server/mcp/connect/test-connection";

export const POST = route(mcpServerEndpoints.test, ({ actor, params, signal }) => testServer(actor, params.id, signal));
