import "server-only";
import { eq, sql } from "drizzle-orm";
import { agents, memoryEmbeddings, memoryFiles } from "@/db/schema";
import type { AgentObserver } from "@/server/agents/agent-observers";
import { countRows, forgetSet } from "@/server/retrieval/stored-words";
import { memorySet, wordColumns } from "./files";

/**
 * Counts the words of a workspace's memory anew after an agent was removed: its files went with its row, and their words would
 * make those of the other agents look common.
 */
export const recountAfterRemoval: AgentObserver = async (tx, { workspaceId, agentId }) => {
  if ((await tx.$count(agents, eq(agents.id, agentId))) > 0) return;
  const searched = { workspaceId, set: memorySet };
  await forgetSet(tx, searched);
  // Embeddings know no agent; those of the other agents are made anew by their next search.
  await tx.delete(memoryEmbeddings).where(eq(memoryEmbeddings.workspaceId, workspaceId));
  await countRows(tx, searched, wordColumns, sql`${memoryFiles.workspaceId} = ${workspaceId}::uuid`, 1);
};
