import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Agent } from "@/contracts/agents/agents";
import { agents, agentTools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { loadActorLimits, refuseMoreEffects } from "@/server/auth/actor-limits";
import { db } from "@/server/platform/database/database";
import { isUniqueViolation } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";
import { findVersion } from "./agent-versions";
import { lockAgent } from "./find-agent";
import { keepFirstVersion, keepVersion, settingsOf } from "./keep-version";
import { presentAgent } from "./present-agent";

/**
 * Gives an agent the settings and ticked tools of an earlier version, as a new version. Models and tools that are gone stay
 * chosen, as they do when they vanish later.
 * @param expected from If-Match
 * @throws AppError `not_found`, `stale_version`, `conflict` for a name that is taken, `forbidden` for effects beyond the actor's own
 */
export async function restoreAgentVersion(
  actor: Authorized<"agents:write">,
  agentId: string,
  version: number,
  expected: number | null,
): Promise<Agent> {
  const { settings, tools } = await findVersion(agentId, version);
  const { name } = settings;
  const change = db().transaction(async (tx) => {
    const before = await lockAgent(tx, actor.workspaceId, agentId, expected);
    const allowedEffects = settings.allowedEffects ?? null;
    refuseMoreEffects(await loadActorLimits(tx, actor), allowedEffects, before.allowedEffects);
    await keepFirstVersion(tx, before);
    await tx.delete(agentTools).where(eq(agentTools.agentId, agentId));
    if (tools.length > 0) await tx.insert(agentTools).values(tools.map((toolName) => ({ agentId, toolName })));
    const [agent] = await tx
      .update(agents)
      .set({ ...settings, version: sql`${agents.version} + 1` })
      .where(eq(agents.id, agentId))
      .returning();
    if (!agent) throw new Error("A locked agent was not updated");
    await keepVersion(tx, agent, toActorRef(actor), `Restored version ${version}`);
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "agent.restored",
      actor: toActorRef(actor),
      subject: agentId,
      data: { version, before: settingsOf(before) },
      requestId: actor.requestId,
    });
    return presentAgent(agent, tools.length);
  });
  return change.catch((error: unknown) => {
    if (isUniqueViolation(error)) throw new AppError("conflict", `An agent named "${name}" exists already. Rename it first.`);
    throw error;
  });
}
