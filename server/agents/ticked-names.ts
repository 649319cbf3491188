import "server-only";
import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { agentTools } from "@/db/schema";

/** Names of the ticked tools, in order. */
export async function tickedNames(tx: Db, agentId: string): Promise<string[]> {
  const rows = await tx
    .select({ name: agentTools.toolName })
    .from(agentTools)
    .where(eq(agentTools.agentId, agentId))
    .orderBy(asc(sql`${agentTools.toolName} collate "C"`));
  return rows.map(({ name }) => name);
}

/** Counts the ticked tools of an agent. */
export function countTicks(tx: Db, agentId: string): Promise<number> {
  return tx.$count(agentTools, eq(agentTools.agentId, agentId));
}
