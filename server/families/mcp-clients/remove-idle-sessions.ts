import "server-only";
import { lt, sql } from "drizzle-orm";
import { mcpClientSessions, mcpPendingCalls } from "@/db/schema";
import { db } from "@/server/platform/database";

/** Deletes MCP sessions that were idle for a week, and results that no client asked for within a week. */
export async function removeIdleSessions(): Promise<void> {
  const weekAgo = sql`now() - interval '7 days'`;
  await db().delete(mcpClientSessions).where(lt(mcpClientSessions.lastSeenAt, weekAgo));
  await db().delete(mcpPendingCalls).where(lt(mcpPendingCalls.createdAt, weekAgo));
}
