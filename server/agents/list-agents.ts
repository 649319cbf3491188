import "server-only";
import { and, asc, eq, gt } from "drizzle-orm";
import type { Agent } from "@/contracts/agents";
import { agents } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { decodeCursor, IdCursor, pageOf } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { presentAgent } from "./present-agent";

/** Agents of the actor's workspace in the order in which they were added, which puts the first default one first. */
export async function listAgents(
  actor: Holder<"tools:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: Agent[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : gt(agents.id, decodeCursor(cursor, IdCursor)[0]);
  const found = await db()
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, actor.workspaceId), after))
    .orderBy(asc(agents.id))
    .limit(limit + 1);
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
  return { items: rows.map(presentAgent), nextCursor };
}
