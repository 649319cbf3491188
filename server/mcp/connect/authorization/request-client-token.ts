import "server-only";
import { ClientCredentialsProvider, fetchToken, type OAuthTokens } from "@modelcontextprotocol/client";
import { oauthFetch } from "./oauth-fetch";
import { withoutSecretParts } from "./server-address";
import type { StoredTokens } from "./stored-authorization";

type Asked = Pick<StoredTokens, "client" | "metadata" | "resource" | "scope" | "serverUrl">;

/** Gets an access token for Handrail itself by its client's id and secret (grant `client_credentials`). @throws OAuthError */
export function requestClientToken({ client, metadata, resource, scope, serverUrl }: Asked): Promise<OAuthTokens> {
  const { client_id: clientId, client_secret: clientSecret = "" } = client.information;
  const provider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: metadata.issuer });
  const fetchFn = oauthFetch(withoutSecretParts(new URL(serverUrl)));
  return fetchToken(provider, metadata.issuer, { metadata, resource, fetchFn, ...(scope === null ? {} : { scope }) });
}
