import "server-only";
import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { agents } from "@/db/schema";
import { AppError } from "@/server/platform/errors";

type AgentRow = typeof agents.$inferSelect;

const ofWorkspace = (workspaceId: string, agentId: string) => and(eq(agents.workspaceId, workspaceId), eq(agents.id, agentId));

/** Returns an agent of the workspace. @throws AppError `not_found`, also for another workspace's. */
export async function findAgent(tx: Db, workspaceId: string, agentId: string): Promise<AgentRow> {
  const [agent] = await tx.select().from(agents).where(ofWorkspace(workspaceId, agentId));
  if (!agent) throw missing();
  return agent;
}

/**
 * Returns an agent and locks its row until the transaction ends.
 * @param version from If-Match; null when the caller sent none
 * @throws AppError `not_found`, `stale_version`
 */
export async function lockAgent(tx: Db, workspaceId: string, agentId: string, version: number | null): Promise<AgentRow> {
  const [agent] = await tx.select().from(agents).where(ofWorkspace(workspaceId, agentId)).for("update");
  if (!agent) throw missing();
  if (version !== null && version !== agent.version) {
    throw new AppError(
      "stale_version",
      `The agent "${agent.name}" was changed by somebody else meanwhile. Reload the agent, then repeat your change.`,
    );
  }
  return agent;
}

const missing = () => new AppError("not_found", "This agent does not exist. It may have been removed; list the agents.");
