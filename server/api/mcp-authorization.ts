import { mcpAuthorizationEndpoints } from "@/contracts/mcp/mcp-authorization";
import { readSessionCookie } from "@/server/auth/sign-in/session-cookie";
import { answer } from "@/server/endpoints/answer";
import { clientMetadata } from "@/server/mcp/connect/authorization/oauth-client";
import { beginAuthorization, beginPersonalSignIn } from "@/server/mcp/connect/servers/begin-authorization";
import { endAuthorization, endPersonalSignIn } from "@/server/mcp/connect/servers/end-authorization";
import { finishAuthorization } from "@/server/mcp/connect/servers/finish-authorization";
import { listPersonSignIns } from "@/server/mcp/connect/servers/person-sign-ins";
import { signInAsClient } from "@/server/mcp/connect/servers/sign-in-as-client";

export const mcpAuthorizationAnswers = answer(mcpAuthorizationEndpoints, {
  begin: async ({ actor, params, body, request }) => beginAuthorization(actor, params.id, body, await browserSession(request)),
  end: ({ actor, params }) => endAuthorization(actor, params.id),
  signInAsClient: ({ actor, params, body }) => signInAsClient(actor, params.id, body),
  people: ({ actor, params }) => listPersonSignIns(actor, params.id),
  beginOwn: async ({ actor, params, body, request }) => beginPersonalSignIn(actor, params.id, body, await browserSession(request)),
  endPerson: ({ actor, params }) => endPersonalSignIn(actor, params.id, params.personId),
  callback: async ({ actor, query, request }) => {
    const claims = await readSessionCookie(request.headers.get("cookie"));
    const { outcome, serverId } = await finishAuthorization(actor, claims?.session ?? null, query);
    const page = new URLSearchParams({ ...(serverId ? { server: serverId } : {}), signIn: outcome });
    // The address holds the code, so nothing keeps it and no page learns it.
    const headers = { location: `/mcp-servers?${page}`, "cache-control": "no-store", "referrer-policy": "no-referrer" };
    return new Response(null, { status: 303, headers });
  },
  clientMetadata: async () => clientMetadata(),
});

/** Returns the id of the browser's session; null for API keys and tokens. */
async function browserSession(request: Request): Promise<string | null> {
  if (request.headers.has("authorization")) return null;
  return (await readSessionCookie(request.headers.get("cookie")))?.session ?? null;
}
