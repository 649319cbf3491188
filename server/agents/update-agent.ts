import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Agent, AgentDraft } from "@/contracts/agents/agents";
import { agents } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { loadActorLimits, refuseMoreEffects } from "@/server/auth/actor-limits";
import { db } from "@/server/platform/database/database";
import { isUniqueViolation } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";
import { tellAgentObservers } from "./agent-observers";
import { assertDelegates } from "./assert-delegates";
import { assertModels } from "./assert-models";
import { lockAgent } from "./find-agent";
import { keepFirstVersion, keepVersion, settingsOf } from "./keep-version";
import { presentAgent } from "./present-agent";
import { countTicks } from "./ticked-names";

/**
 * Replaces an agent's settings.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `conflict` for a name that is taken, `forbidden` for effects beyond the actor's own
 */
export async function updateAgent(
  actor: Authorized<"agents:write">,
  agentId: string,
  draft: AgentDraft,
  version: number | null,
): Promise<Agent> {
  const change = db().transaction(async (tx) => {
    const before = await lockAgent(tx, actor.workspaceId, agentId, version);
    const { allowedEffects, models, delegates } = before;
    if (draft.allowedEffects !== undefined) refuseMoreEffects(await loadActorLimits(tx, actor), draft.allowedEffects, allowedEffects);
    await assertModels(tx, actor.workspaceId, draft.models, models);
    await assertDelegates(tx, actor.workspaceId, draft.delegates, delegates);
    await keepFirstVersion(tx, before);
    const [agent] = await tx
      .update(agents)
      .set({ ...draft, version: sql`${agents.version} + 1` })
      .where(eq(agents.id, agentId))
      .returning();
    if (!agent) throw new Error("A locked agent was not updated");
    await keepVersion(tx, agent, toActorRef(actor));
    await tellAgentObservers(tx, { workspaceId: actor.workspaceId, agentId });
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "agent.updated",
      actor: toActorRef(actor),
      subject: agentId,
      data: { ...draft, before: settingsOf(before) },
      requestId: actor.requestId,
    });
    return presentAgent(agent, await countTicks(tx, agentId));
  });
  return change.catch((error: unknown) => {
    if (isUniqueViolation(error)) throw new AppError("conflict", `An agent named "${draft.name}" exists already. Choose another name.`);
    throw error;
  });
}
