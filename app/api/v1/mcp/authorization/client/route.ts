import { mcpAuthorizationEndpoints } from "@/contracts/mcp-authorization";
import { route } from "@/server/http/route";
import { clientMetadata } from "@/server/mcp/connect/authorization/oauth-client";

export const GET = route(mcpAuthorizationEndpoints.clientMetadata, async () => clientMetadata());
