import "server-only";
import { readRequestId } from "@/server/http/request-id";
import { problemResponse } from "@/server/http/steps/problem";
import { readJsonBody } from "@/server/http/steps/read-input";
import { TextResponse } from "@/server/http/text-response";
import { AppError, isAppError } from "@/server/platform/errors";
import { registerClient } from "./client-id";
import { revokeToken } from "./end-sign-in";
import { exchangeToken } from "./exchange-token";
import { OAuthError } from "./oauth-error";

/** `POST /oauth/register` (RFC 7591). */
export const handleRegister = oauthRoute(async (request) => {
  const client = registerClient(await readJsonBody(request));
  return json(201, {
    client_id: client.id,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
});

/** `POST /oauth/token`. */
export const handleToken = oauthRoute(async (request, requestId) => {
  const form = await readForm(request);
  return json(200, await exchangeToken(form, request.headers.get("authorization"), requestId));
});

/** `POST /oauth/revoke` (RFC 7009). */
export const handleRevoke = oauthRoute(async (request, requestId) => {
  await revokeToken((await readForm(request)).get("token") ?? "", requestId);
  return json(200, {});
});

/** Makes a route whose refusals have the form of OAuth. */
function oauthRoute(handle: (request: Request, requestId: string) => Promise<Response>): (request: Request) => Promise<Response> {
  return async (request) => {
    const requestId = readRequestId(request);
    try {
      return await handle(request, requestId);
    } catch (error) {
      const refusal = error instanceof OAuthError ? error : isBadInput(error) ? new OAuthError("invalid_request", error.message) : null;
      if (!refusal) return problemResponse(error, requestId, request);
      const answer = json(refusal.code === "invalid_client" ? 401 : 400, { error: refusal.code, error_description: refusal.message });
      if (answer.status === 401) answer.headers.set("www-authenticate", 'Basic realm="Handrail"');
      return answer;
    }
  };
}

const isBadInput = (error: unknown): error is AppError => isAppError(error) && ["malformed", "invalid", "too_large"].includes(error.code);

const maxFormBytes = 16_384;

async function readForm(request: Request): Promise<URLSearchParams> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= maxFormBytes)) throw new AppError("too_large", `Send a form of at most ${maxFormBytes} bytes, with its Content-Length.`);
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new OAuthError("invalid_request", "Send a form: Content-Type: application/x-www-form-urlencoded");
  }
  return new URLSearchParams(await request.text());
}

function json(status: number, body: object): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store", pragma: "no-cache" };
  return new TextResponse(JSON.stringify(body), { status, headers });
}
