import "server-only";
import { actorFromApiKey } from "@/server/auth/actor-from-api-key";
import { type AppError, isAppError } from "@/server/platform/errors";
import { OAuthError } from "./oauth-error";
import { accessSeconds, newKeyToken } from "./tokens";

type KeyTokenAnswer = { access_token: string; token_type: "Bearer"; expires_in: number };

/**
 * Answers a client that comes with its id and secret (RFC 6749, 4.4): both are those of an API key, and the token has the
 * rights of that key at /mcp. It ends with the key. There is no refresh token, because the client can ask again.
 * @throws OAuthError `invalid_client`, `unauthorized_client`, `invalid_scope`
 */
export async function exchangeClientCredentials(
  form: URLSearchParams,
  authorization: string | null,
  requestId: string,
): Promise<KeyTokenAnswer> {
  const { id, secret } = readClient(form, authorization);
  const actor = await actorFromApiKey(secret, requestId).catch((error) => {
    if (isAppError(error) && error.code === "unauthenticated") throw refused(error);
    throw error;
  });
  if (actor.id !== id) throw new OAuthError("invalid_client", "client_id has to be the id of the API key that is the client_secret.");
  if (!actor.permissions.has("turns:write") || !actor.permissions.has("tools:read"))
    throw new OAuthError("unauthorized_client", "The API key needs the scopes turns:write and tools:read.");
  if (form.get("scope")?.trim()) throw new OAuthError("invalid_scope", "Leave out scope: the token has the rights of the API key.");
  return { access_token: await newKeyToken(actor.id), token_type: "Bearer", expires_in: accessSeconds };
}

const refused = ({ message }: AppError) => new OAuthError("invalid_client", message);

/** Reads a client's id and secret from the header or else from the form (RFC 6749, 2.3.1). */
function readClient(form: URLSearchParams, authorization: string | null): { id: string; secret: string } {
  const basic = /^Basic +(\S+)$/i.exec(authorization?.trim() ?? "")?.[1];
  if (authorization !== null && !basic) throw new OAuthError("invalid_client", "Send the client's id and secret as Basic, or in the form.");
  const [id = "", ...rest] = basic ? Buffer.from(basic, "base64").toString().split(":") : [form.get("client_id") ?? ""];
  const secret = basic ? rest.join(":") : (form.get("client_secret") ?? "");
  return basic ? { id: decoded(id), secret: decoded(secret) } : { id, secret };
}

/** Decodes a member of the header, which is form-encoded; a text that is not stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
