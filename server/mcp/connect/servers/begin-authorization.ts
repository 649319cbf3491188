import "server-only";
import { randomBytes } from "node:crypto";
import { computeScopeUnion, startAuthorization } from "@modelcontextprotocol/client";
import { sql } from "drizzle-orm";
import type { McpAuthorizationDraft } from "@/contracts/mcp/mcp-authorization";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { discoverAuthorization, hostOf } from "../authorization/discover";
import { chooseClient, redirectUrl } from "../authorization/oauth-client";
import { oauthFetch } from "../authorization/oauth-fetch";
import { serverAddress, withoutSecretParts } from "../authorization/server-address";
import {
  findAuthorization,
  OAuthClient,
  openJson,
  type SignInRequest,
  saveAuthorization,
  saveSignInColumns,
  sealJson,
} from "../authorization/stored-authorization";
import type { McpServerRow } from "../settings/server-settings";
import { findServer } from "./find-server";
import { findPersonSignIn } from "./person-sign-ins";

const lifeMinutes = 10;

type Begun = { authorizationUrl: string; issuer: string; scope: string | null };

/** Begins the sign-in of a person at a server where each person signs in; only an admin of servers may name the client. */
export async function beginPersonalSignIn(
  actor: Authorized<"turns:write">,
  serverId: string,
  draft: McpAuthorizationDraft,
  sessionId: string | null,
): Promise<Begun> {
  const server = await findServer(db(), actor.workspaceId, serverId);
  if (!server.personalSignIn)
    throw new AppError("conflict", `People do not sign in to ${server.alias} for themselves: an admin signs in for the workspace.`);
  if (draft.clientId !== undefined && !actor.permissions.has("mcp:write"))
    throw new AppError("forbidden", "Only an admin can enter the client with which people sign in. Ask an admin of the workspace.");
  const own = await findPersonSignIn(db(), serverId, actor.personId);
  const granted = [own?.authorization?.scope, own?.authorization?.neededScope];
  return begin(actor, { server, draft, sessionId, granted, isPersonal: true });
}

/**
 * Begins a sign-in for the workspace: finds the authorization server, chooses the client, and stores state and PKCE verifier for this person
 * and session. A second beginning replaces the first.
 * @param sessionId the browser's session; null for API keys and tokens
 * @throws AppError `forbidden` without a browser, `invalid` when the client ID is needed, else why nobody can sign in
 */
export async function beginAuthorization(
  actor: Authorized<"mcp:write">,
  serverId: string,
  draft: McpAuthorizationDraft,
  sessionId: string | null,
): Promise<Begun> {
  const server = await findServer(db(), actor.workspaceId, serverId);
  return begin(actor, { server, draft, sessionId, granted: [server.authorization?.scope], isPersonal: false });
}

type Beginning = {
  server: McpServerRow;
  draft: McpAuthorizationDraft;
  sessionId: string | null;
  /** Scopes that were granted before or that a call lacked. */
  granted: (string | null | undefined)[];
  isPersonal: boolean;
};

async function begin(actor: Actor, { server, draft, sessionId, granted, isPersonal }: Beginning): Promise<Begun> {
  const address = serverAddress(server);
  if (!sessionId) throw new AppError("forbidden", "Signing in needs a browser. Open MCP servers in the console and click Connect.");
  const serverUrl = withoutSecretParts(address);
  const before = await findAuthorization(db(), server.id);
  // The scope of a challenge after a sign-in is what the workspace's calls lacked, and no matter of a person.
  const isWider = isPersonal && Boolean(server.authorization?.id);
  const challenge = before?.challenge ?? null;
  const found = await discoverAuthorization(serverUrl, challenge && isWider ? { ...challenge, scope: null } : challenge);
  // A wider scope keeps what was granted before, because a new token replaces the old one.
  const scope = computeScopeUnion(...granted.map((one) => one ?? undefined), found.scope ?? undefined) ?? null;
  const asked = scope === null ? null : withOfflineAccess(scope, found.metadata.scopes_supported);
  const stored = openJson(OAuthClient, before?.clientSealed);
  const client = await chooseClient(found.metadata, { draft, stored, scope: asked, fetchFn: oauthFetch(serverUrl) });
  const state = randomBytes(32).toString("base64url");
  const { authorizationUrl, codeVerifier } = await startAuthorization(found.metadata.issuer, {
    metadata: found.metadata,
    clientInformation: client.information,
    redirectUrl: redirectUrl(),
    state,
    resource: found.resource,
    ...(asked === null ? {} : { scope: asked }),
  });
  const request: SignInRequest = {
    isPersonal,
    personId: actor.personId,
    sessionId,
    serverUrl: address.href,
    verifier: codeVerifier,
    redirectUrl: redirectUrl(),
    resource: found.resource,
    scope,
    metadata: found.metadata,
    client,
  };
  await saveBegun(actor, server, { request, state });
  return { authorizationUrl: authorizationUrl.href, issuer: hostOf(found.metadata.issuer), scope };
}

/** Stores a begun sign-in with its audit row. */
async function saveBegun(actor: Actor, server: McpServerRow, { request, state }: { request: SignInRequest; state: string }): Promise<void> {
  const { client, metadata, resource, scope, isPersonal } = request;
  await db().transaction(async (tx) => {
    await findServer(tx, actor.workspaceId, server.id, { lock: true });
    // A document is chosen anew each time, because its address follows the public address.
    await saveAuthorization(tx, server, { clientSealed: client.kind === "document" ? null : sealJson(client) });
    const holder = { serverId: server.id, workspaceId: server.workspaceId, personId: isPersonal ? actor.personId : null };
    await saveSignInColumns(tx, holder, {
      stateHash: sha256(state),
      requestSealed: sealJson(request),
      requestExpiresAt: sql`now() + make_interval(mins => ${lifeMinutes})`,
    });
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "mcp_server.sign_in_started",
      actor: toActorRef(actor),
      subject: server.alias,
      data: {
        issuer: metadata.issuer,
        resource,
        scope,
        client: client.kind,
        ...(isPersonal ? { personId: actor.personId } : {}),
      },
      requestId: actor.requestId,
    });
  });
}

/** Asks for a refresh token where the issuer offers it only under this scope (OpenID Connect). */
function withOfflineAccess(scope: string, supported: readonly string[] | undefined): string {
  return supported?.includes("offline_access") ? (computeScopeUnion(scope, "offline_access") ?? scope) : scope;
}
