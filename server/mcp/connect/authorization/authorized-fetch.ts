import "server-only";
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { eq, sql } from "drizzle-orm";
import { mcpPersonSignIns, mcpServers } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { ServerSettings } from "../settings/server-settings";
import { type Challenge, discoverAuthorization, usableScope } from "./discover";
import { type AccessToken, readAccessToken, renewTokens } from "./renew-tokens";
import { withoutSecretParts } from "./server-address";
import { type Holder, saveChallenge, tokensOf } from "./stored-authorization";

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
 * Gives a connection the access token of the workspace, or of the person whose connection it is. A server with an
 * Authorization header of its own gets that header only, except from a person.
 * A request that is refused for good fails with an AppError `forbidden`, because the server ran nothing.
 */
export function serverAccess(settings: Pick<ServerSettings, "id" | "alias" | "headers" | "person">, url: URL): ServerAccess {
  const { id, alias, headers, person = null } = settings;
  const hasOwnHeader = person === null && Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const holder: Holder | null = id === null ? null : { serverId: id, personId: person?.id ?? null };
  let access: AccessToken | null = null;
  let renewAt = never;
  let isRead = false;
  let refused: (AccessRefusal & { isOffered: boolean }) | null = null;

  const use = (token: AccessToken | null): void => {
    access = token;
    renewAt = token?.renewInMs == null ? never : performance.now() + token.renewInMs;
  };

  /** Renews the token. @throws AppError `forbidden` while the authorization server cannot be reached */
  const renew = async (of: Holder, used: AccessToken): Promise<void> => {
    const renewal = await renewTokens(of, url.href, used.generation);
    if (renewal.kind === "renewed") return use(renewal.access);
    if (renewal.kind === "signed_out") return use(null);
    throw new AppError("forbidden", renewal.sentence);
  };

  const currentToken = async (): Promise<AccessToken | null> => {
    if (!holder || hasOwnHeader) return null;
    if (!isRead) {
      use(await readAccessToken(db(), holder, url.href));
      isRead = true;
    }
    if (access && performance.now() >= renewAt) {
      await renew(holder, access).catch((error) => {
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
      if (person && !token) throw new AppError("forbidden", personMissing(alias, person.name));
      let response = await send(to, init, token);
      if (response.status === 401 && token && holder) {
        await response.body?.cancel();
        // Another call may have renewed it meanwhile.
        if (access?.generation === token.generation) await renew(holder, token);
        response = await send(to, init, access);
      }
      const fault = hasOwnHeader ? null : refusalIn(response, alias, person?.name ?? null);
      if (!fault) return response;
      refused = { ...fault, isOffered: fault.isOffered || token !== null };
      // Without an offer the 401 may be about another header, so the client reports it as it is.
      if (!refused.isOffered) return response;
      await response.body?.cancel();
      if (response.status === 403 && holder) await saveNeededScope(holder, fault.challenge);
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
function refusalIn(
  response: Response,
  alias: string,
  person: string | null,
): (AccessRefusal & { challenge: Challenge; isOffered: boolean }) | null {
  if (response.status !== 401 && response.status !== 403) return null;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  const challenge = { resourceMetadataUrl: resourceMetadataUrl?.href ?? null, scope: usableScope(scope) };
  if (response.status === 401) {
    const sentence = person === null ? `${alias} needs a sign-in. Connect it under MCP servers.` : personMissing(alias, person);
    return { sentence, challenge, isOffered: challenge.resourceMetadataUrl !== null };
  }
  if (error !== scopeNeeded) return null;
  const wanted = challenge.scope ? `the scope ${challenge.scope}` : "a wider scope";
  const sentence = `${alias} refused the call, because it needs ${wanted}. ${person === null ? "Connect it" : `${person} has to connect it`} again under MCP servers to grant it.`;
  return { sentence, challenge, isOffered: true };
}

/** Says who has to sign in and where. */
export const personMissing = (alias: string, person: string): string =>
  `${person} is not signed in to ${alias}, where each person signs in. ${person} can connect it under MCP servers: ${env().publicUrl}/mcp-servers?server=${alias}`;

/** Stores the scope that a call lacked, so that the console offers to connect again. */
async function saveNeededScope(holder: Holder, challenge: Challenge | null): Promise<void> {
  const { serverId, personId } = holder;
  const needed = challenge?.scope;
  if (!challenge || !needed) return;
  try {
    if (personId !== null) {
      const neededScope = sql`jsonb_set(${mcpPersonSignIns.authorization}, '{neededScope}', to_jsonb(${needed}::text))`;
      await db().update(mcpPersonSignIns).set({ authorization: neededScope }).where(tokensOf(holder).isHeld);
      return;
    }
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
