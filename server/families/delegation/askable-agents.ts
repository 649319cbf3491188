import "server-only";
import { and, asc, eq, ne } from "drizzle-orm";
import { agents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { pausedSentence, readDelegationSettings } from "./settings";

export type AskableAgent = { id: string; name: string; description: string };

const maxNamed = 20;

/** Lists the agents to which an agent may hand tasks: those that an admin marked, and of them its own choice. */
export async function listAskableAgents(workspaceId: string, agentId: string): Promise<AskableAgent[]> {
  const [[asking], marked] = await Promise.all([
    db().select({ delegates: agents.delegates }).from(agents).where(eq(agents.id, agentId)),
    db()
      .select({ id: agents.id, name: agents.name, description: agents.description })
      .from(agents)
      .where(and(eq(agents.workspaceId, workspaceId), eq(agents.mayBeAsked, true), ne(agents.id, agentId)))
      .orderBy(asc(agents.name)),
  ]);
  const chosen = asking?.delegates;
  return chosen ? marked.filter(({ id }) => chosen.includes(id)) : marked;
}

/** Finds an agent by name or id among those that another may ask. @throws AppError with the names that are there */
export async function findAskableAgent(workspaceId: string, askingId: string, name: string): Promise<AskableAgent> {
  const wanted = name.trim();
  const askable = await listAskableAgents(workspaceId, askingId);
  const found = askable.find((agent) => agent.name === wanted.toLowerCase() || agent.id === wanted);
  if (found) return found;
  const names = askable.slice(0, maxNamed).map((agent) => agent.name);
  const instead = names.length > 0 ? `You may ask: ${names.join(", ")}.` : "You may ask no agent; do the task yourself.";
  const [asking] = await db().select({ name: agents.name }).from(agents).where(eq(agents.id, askingId));
  if (wanted === askingId || wanted.toLowerCase() === asking?.name)
    throw new AppError("invalid", `You are "${asking?.name ?? wanted}" yourself; spawn hands a task to a copy of you. ${instead}`);
  throw new AppError("not_found", `There is no enabled agent named "${name}". ${instead}`);
}

/** Returns why no agent of a workspace can hand a task to another one; null when one can. */
export async function whyNobodyMayBeAsked(workspaceId: string): Promise<string | null> {
  const { paused } = await readDelegationSettings(workspaceId);
  if (paused) return pausedSentence;
  const marked = await db().$count(agents, and(eq(agents.workspaceId, workspaceId), eq(agents.mayBeAsked, true)));
  return marked > 0
    ? null
    : 'No agent may be asked by other agents. An admin marks agents with "May be asked by other agents" in their settings.';
}
