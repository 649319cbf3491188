import "server-only";
import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { mcpPersonSignIns, mcpServers, users } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { hasAuthorizationHeader, type McpServerRow } from "../settings/server-settings";

/**
 * Chooses whose sign-in lists the tools of a server where each person signs in: the workspace's, else that of the person who
 * lists them already, else that of the person who signed in first. The caller has locked the server's row and announces the change,
 * after which every replica connects again.
 */
export async function chooseLister(tx: Db, serverId: string): Promise<McpServerRow["listedWith"]> {
  const [server] = await tx.select().from(mcpServers).where(eq(mcpServers.id, serverId));
  if (!server) return null;
  const { personalSignIn, authorization, listedWith } = server;
  const isLent = personalSignIn && !authorization?.id && !hasAuthorizationHeader(server);
  const chosen = isLent ? await firstSignIn(tx, serverId, listedWith?.personId ?? null) : null;
  if (chosen?.personId === listedWith?.personId) return listedWith;
  await tx
    .update(mcpServers)
    .set({ listedWith: chosen, ...(server.enabled ? { status: "connecting" as const } : {}), lastError: null, updatedAt: sql`updated_at` })
    .where(eq(mcpServers.id, serverId));
  return chosen;
}

async function firstSignIn(tx: Db, serverId: string, current: string | null): Promise<McpServerRow["listedWith"]> {
  const [first] = await tx
    .select({ personId: mcpPersonSignIns.personId, name: users.name })
    .from(mcpPersonSignIns)
    .innerJoin(users, eq(users.id, mcpPersonSignIns.personId))
    .where(and(eq(mcpPersonSignIns.serverId, serverId), isNotNull(mcpPersonSignIns.authorization)))
    .orderBy(sql`${mcpPersonSignIns.personId} = ${current}::uuid desc nulls last`, asc(mcpPersonSignIns.createdAt))
    .limit(1);
  return first ?? null;
}

/** Replaces listers who have left the workspace, because a sign-in goes with the membership. Returns the rows as they are then. */
export async function withListers(rows: McpServerRow[]): Promise<McpServerRow[]> {
  const lent = rows.filter(({ listedWith }) => listedWith !== null);
  if (lent.length === 0) return rows;
  const { serverId, personId, authorization } = mcpPersonSignIns;
  const ids = lent.map(({ id }) => id);
  const signIns = await db()
    .select({ serverId, personId })
    .from(mcpPersonSignIns)
    .where(and(inArray(serverId, ids), isNotNull(authorization)));
  const isHere = ({ id, listedWith }: McpServerRow) =>
    signIns.some((signIn) => signIn.serverId === id && signIn.personId === listedWith?.personId);
  return Promise.all(
    rows.map(async (row) => {
      if (row.listedWith === null || isHere(row)) return row;
      const listedWith = await db().transaction(async (tx) => {
        await tx.select({ id: mcpServers.id }).from(mcpServers).where(eq(mcpServers.id, row.id)).for("update");
        return chooseLister(tx, row.id);
      });
      return { ...row, listedWith };
    }),
  );
}
