import { mcpClientSignInEndpoints } from "@/contracts/mcp-client-sign-ins";
import { route } from "@/server/http/route";
import { allowClient } from "@/server/mcp/serve/sign-in/allow-client";

export const POST = route(mcpClientSignInEndpoints.allow, ({ actor, body }) => allowClient(actor, body));
