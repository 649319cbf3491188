import { mcpContentEndpoints } from "@/contracts/mcp-contents";
import { route } from "@/server/http/route";
import { listServerPrompts } from "@/server/mcp/connect/list-server-contents";

export const GET = route(mcpContentEndpoints.prompts, ({ actor, params, query }) => listServerPrompts(actor, params.id, query));
