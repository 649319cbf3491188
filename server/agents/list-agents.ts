import "server-only";
import { and, asc, count, eq, gt } from "drizzle-orm";
import type { Agent } from "@/contracts/agents/agents";
import { agents, agentTools } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { presentAgent } from "./present-agent";

/** Lists the agents of the actor's workspace, oldest first, which puts the first default agent at the top. */
export async function listAgents(
  actor: Authorized<"tools:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: Agent[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : gt(agents.id, decodeCursor(cursor, IdCursor)[0]);
  const found = await db()
    .select({ agent: agents, ticked: count(agentTools.toolName) })
    .from(agents)
    .leftJoin(agentTools, eq(agentTools.agentId, agents.id))
    .where(and(eq(agents.workspaceId, actor.workspaceId), after))
    .groupBy(agents.id)
    .orderBy(asc(agents.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ agent }) => [agent.id]);
  return { items: rows.map(({ agent, ticked }) => presentAgent(agent, ticked)), nextCursor };
}
