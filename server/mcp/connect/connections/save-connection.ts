import "server-only";
import { isDeepStrictEqual } from "node:util";
import { and, eq, ne, or, sql } from "drizzle-orm";
import type { McpCure } from "@/contracts/mcp/mcp-servers";
import type { Db } from "@/db/client";
import { mcpServers, tools } from "@/db/schema";
import { record } from "@/server/audit/record";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { retryOnLock } from "@/server/platform/database/retry-on-conflict";
import { sharedNow } from "@/server/platform/database/shared-clock";
import type { AnyTool } from "@/server/tools/define-tool";
import { pinInstructions, type ServerInstructions } from "@/server/tools/pins/pin-instructions";
import { markAvailability, syncTools } from "@/server/tools/sync-tools";
import type { Challenge } from "../authorization/discover";
import { saveChallenge } from "../authorization/stored-authorization";
import { addCures, curesAfterStart, lackingCures, replaceStartCures } from "../program/keep-cures";
import type { McpServerRow } from "../settings/server-settings";

const maxNamesRecorded = 200;

/**
 * Saves a server's listing: its tools' rows, its status, and an audit row when the list has changed. Returns false when
 * the server was removed or disabled meanwhile.
 */
export async function saveConnected(
  server: McpServerRow,
  {
    serverInfo,
    instructions,
    tools: listed,
    notes,
  }: { serverInfo: McpServerRow["serverInfo"]; instructions: ServerInstructions | null; tools: readonly AnyTool[]; notes: string[] },
): Promise<boolean> {
  return retryOnLock(() =>
    db().transaction(async (tx) => {
      const locked = await lockEnabled(tx, server);
      if (!locked?.enabled) return false;
      const pinned = await pinInstructions(tx, locked, instructions);
      const hasNewInstructions = locked.instructions !== pinned.instructions;
      const cameBack = await makeAvailable(tx, server, listed);
      const changes = await syncTools(tx, { workspaceId: server.workspaceId, mcpServerId: server.id }, listed);
      await tx
        .update(mcpServers)
        .set({
          status: "connected",
          lastError: null,
          lastStderr: null,
          cures: curesAfterStart(locked.cures, locked),
          lastConnectedAt: sharedNow(),
          serverInfo,
          ...pinned,
          toolNotes: notes,
          updatedAt: sql`updated_at`,
        })
        .where(eq(mcpServers.id, server.id));
      const count = changes.added.length + changes.changed.length + changes.removed.length;
      if (count > 0 || hasNewInstructions) {
        const names = (all: string[]) => all.slice(0, maxNamesRecorded);
        await record(tx, {
          workspaceId: server.workspaceId,
          event: "mcp_server.tools_changed",
          actor: systemActor,
          subject: server.alias,
          data: {
            added: names(changes.added),
            changed: names(changes.changed),
            removed: names(changes.removed),
            tools: listed.length,
            ...(hasNewInstructions ? { instructions: pinned.instructions ?? "" } : {}),
          },
        });
      }
      if (count === 0 && (cameBack || hasNewInstructions)) {
        await bumpConfigVersion(tx, server.workspaceId);
      }
      return true;
    }),
  );
}

/** Saves why a server is disconnected. Its tools become stale, with the reason. Writes nothing when nothing changed. */
export async function saveFailure(
  server: McpServerRow,
  failure: { error: string; stderr: string | null; signIn?: Challenge; cures?: McpCure[]; wasOpen?: boolean },
): Promise<void> {
  const status = failure.signIn ? "needs_sign_in" : "error";
  await db().transaction(async (tx) => {
    const locked = await lockEnabled(tx, server);
    if (!locked?.enabled) return;
    if (failure.signIn) await saveChallenge(tx, server, failure.signIn);
    const changed = await tx
      .update(mcpServers)
      .set({
        status,
        lastError: failure.error,
        lastStderr: failure.stderr,
        cures: (failure.wasOpen ? addCures : replaceStartCures)(lackingCures(locked.cures, locked), failure.cures ?? []),
        ...(failure.wasOpen ? { lastEnding: { at: new Date().toISOString(), error: failure.error, stderr: failure.stderr } } : {}),
        updatedAt: sql`updated_at`,
      })
      .where(
        and(
          eq(mcpServers.id, server.id),
          or(
            ne(mcpServers.status, status),
            sql`${mcpServers.lastError} is distinct from ${failure.error}`,
            sql`${mcpServers.lastStderr} is distinct from ${failure.stderr}`,
          ),
        ),
      )
      .returning({ id: mcpServers.id });
    if (changed.length === 0) return;
    await markAvailability(tx, sourceOf(server), "stale", `The MCP server "${server.alias}" is away: ${failure.error}`);
    await bumpConfigVersion(tx, server.workspaceId);
  });
}

/** Saves what the sandbox kept from a server's program during a call, for the admin who can allow it. */
export async function saveCures({ id }: McpServerRow, cures: McpCure[]): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx.select({ kept: mcpServers.cures }).from(mcpServers).where(eq(mcpServers.id, id)).for("update");
    if (!row) return;
    const now = addCures(row.kept, cures);
    if (isDeepStrictEqual(now, row.kept)) return;
    await tx.update(mcpServers).set({ cures: now, updatedAt: sql`updated_at` }).where(eq(mcpServers.id, id));
  });
}

const sourceOf = (server: McpServerRow) => ({ workspaceId: server.workspaceId, mcpServerId: server.id });

/** Locks the server's row, which serialises connecting replicas and admins' changes. Returns its present state, if it exists. */
async function lockEnabled(tx: Db, server: McpServerRow): Promise<McpServerRow | undefined> {
  const [row] = await tx
    .select()
    .from(mcpServers)
    .where(and(eq(mcpServers.id, server.id), eq(mcpServers.workspaceId, server.workspaceId)))
    .for("update");
  return row;
}

/** Clears "stale" before the tools are compared, because a reconnection is no change of the tools. */
async function makeAvailable(tx: Db, server: McpServerRow, listed: readonly AnyTool[]): Promise<boolean> {
  const stale = and(eq(tools.mcpServerId, server.id), eq(tools.availability, "stale"));
  const broken = listed.filter(({ unavailableReason }) => unavailableReason !== undefined);
  for (const { name, unavailableReason } of broken) {
    await tx
      .update(tools)
      .set({ availability: "unavailable", availabilityReason: unavailableReason })
      .where(and(stale, eq(tools.name, name)));
  }
  const back = await tx
    .update(tools)
    .set({ availability: "available", availabilityReason: null })
    .where(stale)
    .returning({ name: tools.name });
  return back.length > 0;
}
