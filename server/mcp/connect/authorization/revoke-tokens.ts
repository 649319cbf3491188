import "server-only";
import { selectClientAuthMethod } from "@modelcontextprotocol/client";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { oauthFetch } from "./oauth-fetch";
import { withoutSecretParts } from "./server-address";
import type { StoredTokens } from "./stored-authorization";

/** Tells the authorization server that the tokens are of no use any more (RFC 7009). A failure changes nothing here. */
export async function revokeTokens({ metadata, client, serverUrl, refreshToken, accessToken }: StoredTokens): Promise<void> {
  const endpoint = "revocation_endpoint" in metadata ? metadata.revocation_endpoint : null;
  if (typeof endpoint !== "string" || !URL.canParse(endpoint)) return;
  const fetchFn = oauthFetch(withoutSecretParts(new URL(serverUrl)));
  const method = selectClientAuthMethod(client.information, metadata.token_endpoint_auth_methods_supported ?? []);
  const tokens = [...(refreshToken ? [["refresh_token", refreshToken]] : []), ["access_token", accessToken]];
  const { client_id, client_secret = "" } = client.information;
  for (const [token_type_hint = "", token = ""] of tokens) {
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    const body = new URLSearchParams({ token, token_type_hint });
    if (method === "client_secret_basic") headers.set("authorization", basic(client_id, client_secret));
    else body.set("client_id", client_id);
    if (method === "client_secret_post") body.set("client_secret", client_secret);
    await fetchFn(endpoint, { method: "POST", headers, body }).catch((error) =>
      log().warn({ reason: toErrorMessage(error) }, "a token could not be revoked"),
    );
  }
}

const basic = (...parts: string[]): string => `Basic ${Buffer.from(parts.map(encodeURIComponent).join(":")).toString("base64")}`;
