import type { Agent } from "@/contracts/agents";
import type { agents } from "@/db/schema";

/** The one place where an agent's row becomes public. */
export function presentAgent(row: typeof agents.$inferSelect): Agent {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    isDefault: row.isDefault,
    disclosureMode: row.disclosureMode,
    sharedFolder: row.sharedFolder,
    allowedEffects: row.allowedEffects,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
