import "server-only";
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { eq, sql } from "drizzle-orm";
import { mcpServers } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { ServerSettings } from "../settings/server-settings";
import { type Challenge, discoverAuthorization, usableScope } from "./discover";
import { type AccessToken, readAccessToken, renewTokens } from "./renew-tokens";
import { withoutSecretParts } from "./server-address";
import { saveChallenge } from "./stored-authorization";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Why a server refused a request. `challenge`: a person can change that by signing in. */
export type AccessRefusal = { sentence: string; challenge: Challenge | null };

/** Access of one connection to a server over HTTP. */
export type ServerAccess = {
  /** Returns a `fetch` that sends the access token to the server's own origin, and renews the token. */
  wrap: (fetch: Fetch) => Fetch;
  /** Returns why the last request was refused; null when none was, or when signing in would not help. */
  refusal: () => Promise<AccessRefusal | null>;
};

/** Recognises a request that a server refused, and did not run, because the sign-in has too narrow a scope. */
export const isScopeNeeded = (error: unknown): error is AppError => isAppError(error) && error.details.cause === scopeNeeded;

const scopeNeeded = "insufficient_scope";

const betweenRenewalsMs = 10_000;
const never = Number.POSITIVE_INFINITY;

/**
 * Gives a connection the server's access token. A server with an Authorization header of its own gets that header only.
 * A request that is refused for good fails with an AppError `forbidden`, because the server ran nothing.
 */
export function serverAccess({ id, alias, headers }: Pick<ServerSettings, "id" | "alias" | "headers">, url: URL): ServerAccess {
  const hasOwnHeader = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  let access: AccessToken | null = null;
  let renewAt = never;
  let isRead = false;
  let refused: (AccessRefusal & { isOffered: boolean }) | null = null;

  const use = (token: AccessToken | null): void => {
    access = token;
    renewAt = token?.renewInMs == null ? never : performance.now() + token.renewInMs;
  };

  /** Renews the token. @throws AppError `forbidden` while the authorization server cannot be reached */
  const renew = async (serverId: string, used: AccessToken): Promise<void> => {
    const renewal = await renewTokens(serverId, url.href, used.generation);
    if (renewal.kind === "renewed") return use(renewal.access);
    if (renewal.kind === "signed_out") return use(null);
    throw new AppError("forbidden", renewal.sentence);
  };

  const currentToken = async (): Promise<AccessToken | null> => {
    if (!id || hasOwnHeader) return null;
    if (!isRead) {
      use(await readAccessToken(db(), id, url.href));
      isRead = true;
    }
    if (access && performance.now() >= renewAt) {
      await renew(id, access).catch((error) => {
        // The old token may be good for a little longer.
        renewAt = performance.now() + betweenRenewalsMs;
        log().warn({ server: alias, reason: toErrorMessage(error) }, "an access token was not renewed in time");
      });
    }
    return access;
  };

  const wrap = (fetch: Fetch): Fetch => {
    const send = (to: string | URL, init: RequestInit | undefined, token: AccessToken | null) => {
      // A token never leaves the origin that it was issued for.
      if (!token || new URL(to).origin !== url.origin) return fetch(to, init);
      const sent = new Headers(init?.headers);
      sent.set("authorization", `Bearer ${token.token}`);
      return fetch(to, { ...init, headers: sent });
    };
    return async (to, init) => {
      const token = await currentToken();
      let response = await send(to, init, token);
      if (response.status === 401 && token && id) {
        await response.body?.cancel();
        // Another call may have renewed it meanwhile.
        if (access?.generation === token.generation) await renew(id, token);
        response = await send(to, init, access);
      }
      const fault = hasOwnHeader ? null : refusalIn(response, alias);
      if (!fault) return response;
      refused = { ...fault, isOffered: fault.isOffered || token !== null };
      // Without an offer the 401 may be about another header, so the client reports it as it is.
      if (!refused.isOffered) return response;
      await response.body?.cancel();
      if (response.status === 403 && id) await saveNeededScope(id, fault.challenge);
      throw new AppError("forbidden", fault.sentence, response.status === 403 ? { cause: scopeNeeded } : {});
    };
  };

  return {
    wrap,
    refusal: async () => {
      if (!refused || refused.isOffered) return refused;
      // The challenge named no metadata. The server may have some at the standard addresses.
      const found = await discoverAuthorization(withoutSecretParts(url), refused.challenge).catch((error) =>
        // There is an authorization server, and Connect says why nobody may sign in there.
        isAppError(error) && error.code === "forbidden" ? error : null,
      );
      return found ? refused : null;
    },
  };
}

/** Reads a refusal: 401, or 403 for a scope that is too narrow. `isOffered`: the answer itself offers a sign-in. */
function refusalIn(response: Response, alias: string): (AccessRefusal & { challenge: Challenge; isOffered: boolean }) | null {
  if (response.status !== 401 && response.status !== 403) return null;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  const challenge = { resourceMetadataUrl: resourceMetadataUrl?.href ?? null, scope: usableScope(scope) };
  if (response.status === 401) {
    const sentence = `${alias} needs a sign-in. Connect it under MCP servers.`;
    return { sentence, challenge, isOffered: challenge.resourceMetadataUrl !== null };
  }
  if (error !== scopeNeeded) return null;
  const wanted = challenge.scope ? `the scope ${challenge.scope}` : "a wider scope";
  const sentence = `${alias} refused the call, because it needs ${wanted}. Connect it again under MCP servers to grant it.`;
  return { sentence, challenge, isOffered: true };
}

/** Stores the scope that a call lacked, so that the console offers to connect again. */
async function saveNeededScope(serverId: string, challenge: Challenge | null): Promise<void> {
  const needed = challenge?.scope;
  if (!challenge || !needed) return;
  try {
    await db().transaction(async (tx) => {
      const [server] = await tx.select().from(mcpServers).where(eq(mcpServers.id, serverId)).for("update");
      if (!server?.authorization || server.authorization.neededScope === needed) return;
      await saveChallenge(tx, server, challenge);
      await tx
        .update(mcpServers)
        .set({ authorization: { ...server.authorization, neededScope: needed }, updatedAt: sql`updated_at` })
        .where(eq(mcpServers.id, serverId));
      await bumpConfigVersion(tx, server.workspaceId);
    });
  } catch (error) {
    log().warn({ server: serverId, reason: toErrorMessage(error) }, "the scope that an MCP server needs could not be saved");
  }
}
