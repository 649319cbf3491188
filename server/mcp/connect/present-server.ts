import "server-only";
import type { McpServer } from "@/contracts/mcp-servers";
import { maskInText } from "@/server/audit/mask-secrets";
import { maskValues, type SecretValues } from "./secret-values";
import { type McpServerRow, openSealed } from "./server-settings";

/** The one place where a server becomes public: secrets masked, times as text. */
export function presentServer(row: McpServerRow, toolCount: number): McpServer {
  return {
    id: row.id,
    alias: row.alias,
    transport: row.transport,
    command: row.command,
    args: row.args.map(maskInText),
    env: shown(row.envSealed),
    cwd: row.cwd,
    url: row.url && maskInText(row.url),
    headers: shown(row.headersSealed),
    enabled: row.enabled,
    tier: row.disclosureTier,
    allowedTools: row.allowedTools,
    connectTimeoutSeconds: row.connectTimeoutSeconds,
    callTimeoutSeconds: row.callTimeoutSeconds,
    status: row.status,
    lastError: row.lastError,
    lastStderr: row.lastStderr,
    lastConnectedAt: row.lastConnectedAt?.toISOString() ?? null,
    serverInfo: row.serverInfo,
    toolCount,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A list must not fail because one server's secrets were sealed with a key that is gone; connecting says so. */
function shown(sealed: string | null): SecretValues {
  try {
    return maskValues(openSealed(sealed));
  } catch {
    return {};
  }
}
