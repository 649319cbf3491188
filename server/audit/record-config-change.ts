import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { workspaces } from "@/db/schema";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { awaitConfigVersion } from "@/server/platform/signals/versioned-cache";
import { type AuditEntry, record } from "./record";

/**
 * Records a change of tools, servers, agents or policy and increments the workspace's configuration version. On commit a
 * signal makes every replica reload its caches.
 */
export async function recordConfigChange(tx: Db, ...entries: AuditEntry[]): Promise<void> {
  await record(tx, ...entries);
  const workspaceIds = new Set(entries.map(({ workspaceId }) => workspaceId));
  for (const workspaceId of workspaceIds) await bumpConfigVersion(tx, workspaceId);
}

/** Increments the configuration version without an audit row (a server lists other tools) and signals replicas on commit. */
export async function bumpConfigVersion(tx: Db, workspaceId: string): Promise<void> {
  const [row] = await tx
    .update(workspaces)
    .set({ configVersion: sql`${workspaces.configVersion} + 1` })
    .where(eq(workspaces.id, workspaceId))
    .returning({ version: workspaces.configVersion });
  if (row) awaitConfigVersion(workspaceId, row.version);
  await signalOnCommit(tx, { topic: "config", workspaceId });
}
