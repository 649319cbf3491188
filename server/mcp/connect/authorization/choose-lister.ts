import "server-only";
import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { mcpPersonSignIns, mcpServers, users } from "@/db/schema";
import { hasAuthorizationHeader } from "../settings/server-settings";

/**
 * Chooses whose sign-in lists the tools of a server where each person signs in: the workspace's, else that of the person who
 * lists them already, else that of the person who signed in first. The caller has locked the server's row. A change makes every replica
 * connect again.
 */
export async function chooseLister(tx: Db, serverId: string): Promise<void> {
  const [server] = await tx.select().from(mcpServers).where(eq(mcpServers.id, serverId));
  if (!server) return;
  const hasOwn = Boolean(server.authorization?.id) || hasAuthorizationHeader(server);
  const chosen = server.personalSignIn && !hasOwn ? await firstSignIn(tx, serverId, server.listedWith?.id ?? null) : null;
  if (chosen?.id === server.listedWith?.id) return;
  await tx
    .update(mcpServers)
    .set({ listedWith: chosen, ...(server.enabled ? { status: "connecting" as const } : {}), lastError: null, updatedAt: sql`updated_at` })
    .where(eq(mcpServers.id, serverId));
}

async function firstSignIn(tx: Db, serverId: string, current: string | null) {
  const signInId = sql<string>`${mcpPersonSignIns.authorization} ->> 'id'`;
  const [first] = await tx
    .select({ id: signInId, personId: mcpPersonSignIns.personId, name: users.name })
    .from(mcpPersonSignIns)
    .innerJoin(users, eq(users.id, mcpPersonSignIns.personId))
    .where(and(eq(mcpPersonSignIns.serverId, serverId), isNotNull(mcpPersonSignIns.authorization)))
    .orderBy(sql`${signInId} = ${current} desc nulls last`, asc(mcpPersonSignIns.createdAt))
    .limit(1);
  return first ?? null;
}
