import "server-only";
import { and, eq, inArray, lt, or, sql } from "drizzle-orm";
import { apiKeys, mcpClientSessions, mcpClientSignIns, mcpPendingCalls } from "@/db/schema";
import { db } from "@/server/platform/database/database";

/**
 * Deletes MCP sessions that were idle for a week, results that no client asked for within a week, and the keys of sign-ins whose
 * client never came back with its code, or has not renewed them for 90 days.
 */
export async function removeIdleSessions(): Promise<void> {
  const weekAgo = sql`now() - interval '7 days'`;
  await db().delete(mcpClientSessions).where(lt(mcpClientSessions.lastSeenAt, weekAgo));
  await db().delete(mcpPendingCalls).where(lt(mcpPendingCalls.createdAt, weekAgo));
  const unused = db()
    .select({ id: mcpClientSignIns.apiKeyId })
    .from(mcpClientSignIns)
    .where(
      or(
        and(eq(mcpClientSignIns.generation, 0), lt(mcpClientSignIns.createdAt, sql`now() - interval '1 hour'`)),
        lt(mcpClientSignIns.rotatedAt, sql`now() - interval '90 days'`),
      ),
    );
  await db().delete(apiKeys).where(inArray(apiKeys.id, unused));
}
