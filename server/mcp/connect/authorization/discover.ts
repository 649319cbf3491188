import "server-only";
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  IssuerMismatchError,
  resourceUrlFromServerUrl,
} from "@modelcontextprotocol/client";
import { AppError, isAppError } from "@/server/platform/errors";
import { cleanLine } from "../text/clean-text";
import { assertSecure, oauthFetch } from "./oauth-fetch";

/** The demands of a server that refused a request. */
export type Challenge = { resourceMetadataUrl: string | null; scope: string | null };

/** Authorization server of an MCP server, with its checked metadata. */
export type Discovered = {
  metadata: AuthorizationServerMetadata;
  /** Resource indicator (RFC 8707) that binds tokens to this server. */
  resource: string;
  /** Scope for the first sign-in; null: the authorization server's default. */
  scope: string | null;
};

const maxScopeCharacters = 2_000;

/**
 * Finds the authorization server: resource metadata (RFC 9728), then the metadata of the server that it names (RFC 8414 or
 * OpenID). Without resource metadata, the server's own origin is asked, as the older protocol says.
 * `asksPerson`: a person will sign in there by browser, which needs PKCE.
 * @throws AppError with the reason why nobody can sign in
 */
export async function discoverAuthorization(
  serverUrl: URL,
  challenge: Challenge | null,
  { asksPerson = true }: { asksPerson?: boolean } = {},
): Promise<Discovered> {
  const fetchFn = oauthFetch(serverUrl);
  const expected = resourceUrlFromServerUrl(serverUrl);
  const listed = await resourceMetadata(serverUrl, challenge?.resourceMetadataUrl ?? null, fetchFn);
  // Tokens for another resource would give this server the person's rights there.
  if (listed && !checkResourceAllowed({ requestedResource: expected, configuredResource: listed.resource })) {
    const other = cleanLine(listed.resource, 300);
    throw new AppError(
      "forbidden",
      `The server asks for tokens of another resource, ${other}. Check the URL; nobody was asked to sign in.`,
    );
  }
  const address = listed?.authorization_servers?.[0] ?? new URL("/", serverUrl).href;
  const metadata = await explained(() => discoverAuthorizationServerMetadata(address, { fetchFn }), address);
  if (!metadata) throw new AppError("unavailable", `${hostOf(address)} has no OAuth metadata, so nobody can sign in there.`);
  for (const endpoint of [metadata.authorization_endpoint, metadata.token_endpoint]) assertSecure(new URL(endpoint), serverUrl);
  if (asksPerson && !metadata.code_challenge_methods_supported?.includes("S256")) {
    throw new AppError("unavailable", `${hostOf(address)} does not offer PKCE with S256, which OAuth 2.1 needs.`);
  }
  const scope = usableScope(challenge?.scope) ?? usableScope(listed?.scopes_supported?.join(" "));
  return { metadata, resource: listed?.resource ?? expected.href, scope };
}

async function resourceMetadata(serverUrl: URL, challenged: string | null, fetchFn: ReturnType<typeof oauthFetch>) {
  try {
    const opts = challenged ? { resourceMetadataUrl: new URL(challenged) } : {};
    return await discoverOAuthProtectedResourceMetadata(serverUrl, opts, fetchFn);
  } catch (error) {
    if (isAppError(error)) throw error;
    if (challenged)
      throw new AppError("unavailable", `The server's resource metadata cannot be read: ${hostOf(challenged)} did not serve it.`);
    return null;
  }
}

async function explained<T>(work: () => Promise<T>, address: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error)) throw error;
    const why = IssuerMismatchError.isInstance(error) ? "names another issuer than itself" : "cannot be read";
    throw new AppError("unavailable", `The OAuth metadata of ${hostOf(address)} ${why}, so nobody can sign in there.`, { cause: error });
  }
}

/** Returns a scope of a server when it is one (RFC 6749), else null. */
export function usableScope(scope: string | null | undefined): string | null {
  const text = scope?.trim() ?? "";
  return text !== "" && text.length <= maxScopeCharacters && /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text)
    ? text
    : null;
}

export const hostOf = (address: string): string => URL.parse(address)?.host ?? cleanLine(address, 200);
