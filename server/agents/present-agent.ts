import type { Agent } from "@/contracts/agents/agents";
import { AgentRunLimits, ModelSettings } from "@/contracts/runs/runs";
import type { agents } from "@/db/schema";

/** Converts an agent's row to its public form; no other code does. */
export function presentAgent(row: typeof agents.$inferSelect, tickedTools: number): Agent {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    isDefault: row.isDefault,
    disclosureMode: row.disclosureMode,
    sharedFolder: row.sharedFolder,
    allowedEffects: row.allowedEffects,
    toolsDisabled: row.toolsDisabled,
    skillsDisabled: row.skillsDisabled,
    privileged: row.privileged,
    instructions: row.instructions,
    models: row.models,
    modelSettings: ModelSettings.parse(row.modelSettings ?? {}),
    runLimits: AgentRunLimits.parse(row.runLimits ?? {}),
    mayBeAsked: row.mayBeAsked,
    offeredAsTool: row.offeredAsTool,
    delegates: row.delegates,
    tickedTools,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
