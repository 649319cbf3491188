import { mcpAuthorizationEndpoints } from "@/contracts/mcp-authorization";
import { readSessionCookie } from "@/server/auth/session-cookie";
import { route } from "@/server/http/route";
import { finishAuthorization } from "@/server/mcp/connect/authorization/finish-authorization";

export const GET = route(mcpAuthorizationEndpoints.callback, async ({ actor, query, request }) => {
  const claims = await readSessionCookie(request.headers.get("cookie"));
  const { outcome, serverId } = await finishAuthorization(actor, claims?.session ?? null, query);
  const page = new URLSearchParams({ ...(serverId ? { server: serverId } : {}), signIn: outcome });
  // The address holds the code, so nothing keeps it and no page learns it.
  const headers = { location: `/mcp-servers?${page}`, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return new Response(null, { status: 303, headers });
});
