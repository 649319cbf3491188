import "server-only";
import type { Agent, AgentDraft } from "@/contracts/agents/agents";
import { agents } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { loadActorLimits, refuseMoreEffects } from "@/server/auth/actor-limits";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { tellAgentObservers } from "./agent-observers";
import { assertDelegates } from "./assert-delegates";
import { assertModels } from "./assert-models";
import { keepVersion } from "./keep-version";
import { presentAgent } from "./present-agent";

/** @throws AppError `conflict` for a name that is taken, `forbidden` for effects that the actor's own calls may not have. */
export async function createAgent(actor: Authorized<"agents:write">, draft: AgentDraft): Promise<Agent> {
  return db().transaction(async (tx) => {
    const own = await loadActorLimits(tx, actor);
    const allowedEffects = draft.allowedEffects === undefined ? own.allowedEffects : draft.allowedEffects;
    refuseMoreEffects(own, allowedEffects);
    await assertModels(tx, actor.workspaceId, draft.models);
    await assertDelegates(tx, actor.workspaceId, draft.delegates);
    const [agent] = await tx
      .insert(agents)
      .values({ ...draft, allowedEffects: allowedEffects && [...allowedEffects], workspaceId: actor.workspaceId })
      .onConflictDoNothing({ target: [agents.workspaceId, agents.name] })
      .returning();
    if (!agent) throw new AppError("conflict", `An agent named "${draft.name}" exists already. Choose another name.`);
    await keepVersion(tx, agent, toActorRef(actor));
    await tellAgentObservers(tx, { workspaceId: actor.workspaceId, agentId: agent.id });
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "agent.created",
      actor: toActorRef(actor),
      subject: agent.id,
      data: { ...draft, ...(allowedEffects ? { allowedEffects: [...allowedEffects] } : {}) },
      requestId: actor.requestId,
    });
    return presentAgent(agent, 0);
  });
}
