import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { type McpServer, McpServerDraft, type McpServerPatch } from "@/contracts/mcp/mcp-servers";
import { mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { canonicalJson } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { chooseLister } from "../authorization/choose-lister";
import { dropWhenMoved } from "../authorization/stored-authorization";
import { mcpConnections } from "../connections/connections";
import { plainSettings } from "../settings/plain-settings";
import { auditedSettings, isOtherHost, refuseDuplicate, type SettingsColumns, toServerColumns } from "../settings/server-columns";
import type { McpServerRow } from "../settings/server-settings";
import { applyTraits } from "./apply-traits";
import { assertVersion, countTools, findServer } from "./find-server";
import { presentServer } from "./present-server";
import { requireRunPermission } from "./require-run-permission";

/**
 * Replaces a server's settings and answers at once. If the connection is affected, a new connection opens in the background
 * before the old connection is closed. `version`: from If-Match.
 * @throws AppError `conflict` for a taken alias, and for a new alias when the server has tools, which rules and agents
 * refer to by name; `forbidden` for another program without `mcp:run`.
 */
export async function updateServer(
  actor: Authorized<"mcp:write">,
  id: string,
  draft: McpServerDraft,
  version: number | null,
): Promise<McpServer> {
  return changeServer(actor, id, version, (before) => toServerColumns(draft, before));
}

/**
 * Changes only the sent settings and keeps the others, including secrets that cannot be opened. `version`: from If-Match.
 * @throws AppError as `updateServer`, and `invalid` when the server would lack a setting that its transport needs.
 */
export async function patchServer(
  actor: Authorized<"mcp:write">,
  id: string,
  patch: McpServerPatch,
  version: number | null,
): Promise<McpServer> {
  return changeServer(actor, id, version, (before) => patchedColumns(before, patch));
}

function patchedColumns(before: McpServerRow, patch: McpServerPatch): SettingsColumns {
  const secrets = { args: [], env: {}, headers: {}, ...(before.transport === "stdio" ? {} : { url: urlThatStays }) };
  const stored = { ...plainSettings(before), tier: before.disclosureTier };
  const draft = McpServerDraft.safeParse({ ...stored, ...secrets, ...patch });
  if (!draft.success) {
    const errors = draft.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
    throw new AppError("invalid", `The settings are not valid: ${errors[0]?.path} ${errors[0]?.message}`, { errors });
  }
  const columns = toServerColumns({ ...draft.data, ...(patch.url === undefined ? { url: null } : {}) }, before);
  const isProgram = columns.transport === "stdio";
  if (!isProgram && patch.headers === undefined && before.headersSealed !== null && isOtherHost(patch.url, before)) {
    const message = "are needed with an address at another host, because stored headers stay at their host";
    throw new AppError("invalid", `The settings are not valid: headers ${message}`, { errors: [{ path: "headers", message }] });
  }
  return {
    ...columns,
    ...(isProgram && patch.args === undefined ? { argsSealed: before.argsSealed, args: before.args } : {}),
    ...(isProgram && patch.env === undefined ? { envSealed: before.envSealed } : {}),
    ...(!isProgram && patch.url === undefined ? { urlSealed: before.urlSealed, url: before.url } : {}),
    ...(!isProgram && patch.headers === undefined ? { headersSealed: before.headersSealed } : {}),
  };
}

/** Placeholder of the stored address during validation, so that the sealed address is not opened. */
const urlThatStays = "https://stored.invalid";

async function changeServer(
  actor: Authorized<"mcp:write">,
  id: string,
  version: number | null,
  change: (before: McpServerRow) => SettingsColumns,
): Promise<McpServer> {
  let alias = "";
  const saved = await db()
    .transaction(async (tx) => {
      const before = await findServer(tx, actor.workspaceId, id, { lock: true });
      assertVersion(before, version);
      const columns = change(before);
      alias = columns.alias;
      const toolCount = await countTools(tx, id);
      if (alias !== before.alias && toolCount > 0) {
        throw new AppError(
          "conflict",
          `The alias ${before.alias} is part of the names of ${toolCount} tools, which rules and agents refer to. Add the server under the new alias, then remove this one.`,
        );
      }
      requireRunPermission(actor, columns, before);
      const [row] = await tx
        .update(mcpServers)
        .set({
          ...columns,
          ...statusAfter(before, columns),
          ...(await dropWhenMoved(tx, before, columns)),
          version: sql`${mcpServers.version} + 1`,
        })
        .where(and(eq(mcpServers.workspaceId, actor.workspaceId), eq(mcpServers.id, id)))
        .returning();
      if (!row) throw new Error("The server was not updated");
      if (row.personalSignIn !== before.personalSignIn) await chooseLister(tx, id);
      if (row.trustHints !== before.trustHints || row.parallelCalls !== before.parallelCalls) await applyTraits(tx, row);
      await recordConfigChange(tx, {
        workspaceId: actor.workspaceId,
        event: "mcp_server.updated",
        actor: toActorRef(actor),
        subject: row.alias,
        data: { ...auditedSettings(columns), before: auditedSettings(before) },
        requestId: actor.requestId,
      });
      return presentServer(row, toolCount, actor);
    })
    .catch((error) => refuseDuplicate(error, alias));
  void mcpConnections().follow(actor.workspaceId);
  return saved;
}

/** Returns the status after a change. Every setting except the tiers belongs to the connection. */
function statusAfter(before: McpServerRow, after: SettingsColumns): Partial<McpServerRow> {
  if (!after.enabled) return { status: "disabled", lastError: null, lastStderr: null };
  const parts = ({ disclosureTier, tierPerTool, ...rest }: SettingsColumns) => rest;
  const unchanged = Object.entries(parts(after)).every(
    ([column, value]) => canonicalJson(value) === canonicalJson(before[column as keyof SettingsColumns]),
  );
  return unchanged ? {} : { status: "connecting", lastError: null, lastStderr: null };
}
