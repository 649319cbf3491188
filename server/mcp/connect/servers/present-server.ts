import "server-only";
import { McpCure, type McpServer } from "@/contracts/mcp/mcp-servers";
import type { Actor } from "@/server/auth/actor";
import { unconfinedSentence } from "../program/server-program";
import { hideArguments, hideUrl, maskArguments, maskUrl } from "../settings/mask-settings";
import { plainSettings } from "../settings/plain-settings";
import { maskValues } from "../settings/secret-values";
import { type McpServerRow, openArguments, openSealed, openUrl } from "../settings/server-settings";

/**
 * Converts a server's row to its public form, secrets masked. No other code publishes the row. Readers who may not change
 * servers see no argument values and no path of the address, because not every secret can be recognised.
 */
export function presentServer(row: McpServerRow, toolCount: number, actor: Pick<Actor, "permissions">): McpServer {
  const mayChange = actor.permissions.has("mcp:write");
  const args = shown(() => openArguments(row), []);
  const url = shown(() => openUrl(row), null);
  return {
    id: row.id,
    ...plainSettings(row),
    args: mayChange ? maskArguments(args) : hideArguments(args),
    env: maskValues(shown(() => openSealed(row.envSealed), {})),
    unconfined: unconfinedSentence(row),
    url: url && (mayChange ? maskUrl(url) : hideUrl(url)),
    headers: maskValues(shown(() => openSealed(row.headersSealed), {})),
    tier: row.disclosureTier,
    status: row.status,
    authorization: presentAuthorization(row),
    listedWith: row.listedWith?.name ?? null,
    lastError: row.lastError,
    lastStderr: row.lastStderr,
    cures: row.cures.map((cure) => McpCure.parse(cure)),
    lastEnding: row.lastEnding,
    lastConnectedAt: row.lastConnectedAt?.toISOString() ?? null,
    serverInfo: row.serverInfo,
    instructions: row.instructions,
    toolCount,
    toolNotes: row.toolNotes,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function presentAuthorization({ authorization, status }: McpServerRow): McpServer["authorization"] {
  if (authorization) {
    const { id, ...shown } = authorization;
    return shown;
  }
  return status === "needs_sign_in" ? { issuer: null, scope: null, neededScope: null, signedInBy: null, signedInAt: null } : null;
}

/** Opens sealed settings, or returns `otherwise`, so that one server with a lost key does not break the list of servers. */
function shown<T>(open: () => T, otherwise: T): T {
  try {
    return open();
  } catch {
    return otherwise;
  }
}
