import "server-only";
import type { Agent } from "@/contracts/agents/agents";
import { agents, agentTools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { loadActorLimits, refuseMoreEffects } from "@/server/auth/actor-limits";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findAgent } from "./find-agent";
import { keepVersion, settingsOf } from "./keep-version";
import { presentAgent } from "./present-agent";
import { tickedNames } from "./ticked-names";

/**
 * Adds an agent with another's settings and ticked tools. Keys and conversations are not copied.
 * @throws AppError `not_found`, `conflict` for a name that is taken, `forbidden` for effects beyond the actor's own
 */
export async function duplicateAgent(actor: Authorized<"agents:write">, agentId: string, name: string): Promise<Agent> {
  return db().transaction(async (tx) => {
    const original = await findAgent(tx, actor.workspaceId, agentId);
    refuseMoreEffects(await loadActorLimits(tx, actor), original.allowedEffects);
    const [copy] = await tx
      .insert(agents)
      .values({ ...settingsOf(original), name, workspaceId: actor.workspaceId })
      .onConflictDoNothing({ target: [agents.workspaceId, agents.name] })
      .returning();
    if (!copy) throw new AppError("conflict", `An agent named "${name}" exists already. Choose another name.`);
    const tools = await tickedNames(tx, agentId);
    if (tools.length > 0) await tx.insert(agentTools).values(tools.map((toolName) => ({ agentId: copy.id, toolName })));
    await keepVersion(tx, copy, toActorRef(actor), `Copied from ${original.name}`);
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "agent.created",
      actor: toActorRef(actor),
      subject: copy.id,
      data: { name, copiedFrom: original.name },
      requestId: actor.requestId,
    });
    return presentAgent(copy, tools.length);
  });
}
