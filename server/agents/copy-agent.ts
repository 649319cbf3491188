import "server-only";
import { eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { agents, agentTools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { toActorRef } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";

type AgentRow = typeof agents.$inferSelect;
type Changed = Pick<AgentRow, "name"> & Partial<Pick<AgentRow, "models" | "sharedFolder" | "allowedEffects">>;

/**
 * Makes an agent from an existing one: the same settings and ticked tools, never privileged and never the default.
 * @throws AppError `conflict` for a name that is taken
 */
export async function copyAgent(tx: Db, source: AgentRow, changed: Changed, by: ActorRef): Promise<AgentRow> {
  const { description, disclosureMode, sharedFolder, allowedEffects, instructions, models, runLimits, workspaceId } = source;
  const settings = { description, disclosureMode, sharedFolder, allowedEffects, instructions, models, runLimits, ...changed };
  const [agent] = await tx
    .insert(agents)
    .values({ ...settings, workspaceId })
    .onConflictDoNothing({ target: [agents.workspaceId, agents.name] })
    .returning();
  if (!agent) throw new AppError("conflict", `An agent named "${changed.name}" exists already. Choose another name.`);
  const ticked = await tx.select({ toolName: agentTools.toolName }).from(agentTools).where(eq(agentTools.agentId, source.id));
  if (ticked.length > 0) await tx.insert(agentTools).values(ticked.map(({ toolName }) => ({ agentId: agent.id, toolName })));
  await recordConfigChange(tx, {
    workspaceId,
    event: "agent.created",
    actor: toActorRef(by),
    subject: agent.id,
    data: { ...changed, copyOf: source.name },
  });
  return agent;
}
