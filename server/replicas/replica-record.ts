import "server-only";
import { hostname } from "node:os";
import { and, eq, isNull } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { replicas, workspaces } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { env } from "@/server/platform/env";
import { bootId } from "@/server/platform/ids";
import { version } from "@/server/platform/version";

/** Records the start of this replica, for recovery and in the audit of every workspace. */
export async function recordStart(): Promise<void> {
  const replica = { role: env().role, host: hostname(), pid: process.pid, version };
  await db().transaction(async (tx) => {
    await tx.insert(replicas).values({ bootId: bootId(), ...replica });
    await recordEverywhere(tx, "replica.started", bootId(), replica);
  });
}

/** Records the orderly stop of this replica. */
export async function recordStop(): Promise<void> {
  await endReplica(bootId(), "stopped");
}

/**
 * Marks a replica as ended, once, even when several replicas notice the end.
 * @returns whether this call marked the replica
 */
export async function endReplica(ended: string, ending: "stopped" | "lost"): Promise<boolean> {
  return db().transaction(async (tx) => {
    const [row] = await tx
      .update(replicas)
      .set({ endedAt: sharedNow(), ending })
      .where(and(eq(replicas.bootId, ended), isNull(replicas.endedAt)))
      .returning();
    if (!row) return false;
    await recordEverywhere(tx, `replica.${ending}`, ended, { role: row.role, host: row.host, pid: row.pid, version: row.version });
    return true;
  });
}

async function recordEverywhere(
  tx: Db,
  event: "replica.started" | "replica.stopped" | "replica.lost",
  replica: string,
  data: JsonObject,
): Promise<void> {
  const all = await tx.select({ workspaceId: workspaces.id }).from(workspaces);
  await record(tx, ...all.map(({ workspaceId }) => ({ workspaceId, event, actor: systemActor, subject: replica, data })));
}

/** Clears the ending `lost` of this replica, because only its connection was lost and is back. */
export async function recordReturn(): Promise<void> {
  await db()
    .update(replicas)
    .set({ endedAt: null, ending: null })
    .where(and(eq(replicas.bootId, bootId()), eq(replicas.ending, "lost")));
}

/** Returns the boot ids of replicas without a recorded end. */
export async function runningReplicas(): Promise<string[]> {
  const rows = await db().select({ bootId: replicas.bootId }).from(replicas).where(isNull(replicas.endedAt));
  return rows.map((row) => row.bootId);
}
