import "server-only";
import { and, eq, max, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { activations, toolCalls, turns } from "@/db/schema";

/**
 * Moves the activated tools of a conversation behind one another by their last use, so that the budget takes the least
 * recently used one. Done only when a tool is enabled, because each new order costs the provider's prompt cache.
 * @param enabled the tool that was enabled now, which stays the newest
 */
export async function keepRecentlyUsed(tx: Db, conversationId: string, enabled: string): Promise<void> {
  const lastUse = tx
    .select({ at: max(toolCalls.startedAt) })
    .from(toolCalls)
    .innerJoin(turns, eq(turns.id, toolCalls.turnId))
    .where(and(eq(turns.conversationId, activations.conversationId), eq(toolCalls.name, activations.toolName)));
  await tx
    .update(activations)
    .set({ createdAt: sql`greatest(${activations.createdAt}, (${lastUse}))` })
    .where(and(eq(activations.conversationId, conversationId), ne(activations.toolName, enabled)));
}
