import { mcpAuthorizationEndpoints } from "@/contracts/mcp-authorization";
import { readSessionCookie } from "@/server/auth/session-cookie";
import { route } from "@/server/http/route";
import { beginAuthorization } from "@/server/mcp/connect/authorization/begin-authorization";
import { endAuthorization } from "@/server/mcp/connect/authorization/end-authorization";

export const POST = route(mcpAuthorizationEndpoints.begin, async ({ actor, params, body, request }) =>
  beginAuthorization(actor, params.id, body, await browserSession(request)),
);

export const DELETE = route(mcpAuthorizationEndpoints.end, ({ actor, params }) => endAuthorization(actor, params.id));

/** Returns the id of the browser's session; null for API keys and tokens. */
async function browserSession(request: Request): Promise<string | null> {
  if (request.headers.has("authorization")) return null;
  return (await readSessionCookie(request.headers.get("cookie")))?.session ?? null;
}
