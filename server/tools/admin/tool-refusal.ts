import type { ToolTier } from "@/contracts/tools/tools";
import { AppError } from "@/server/platform/errors";
import type { RegisteredTool } from "../registered-tool";

type Change = { enabled?: boolean | undefined; disclosureTier?: ToolTier | null | undefined };

/** Returns why a tool cannot be disabled or moved to another tier; null when it can. */
export function toolRefusal(tool: Pick<RegisteredTool, "name" | "alwaysOn" | "tierLockedReason">, change: Change): AppError | null {
  if (change.disclosureTier !== undefined && tool.tierLockedReason) return new AppError("tier_locked", tool.tierLockedReason);
  if (tool.alwaysOn && change.enabled === false) {
    return new AppError("conflict", `${tool.name} cannot be disabled because agents reach extension tools through it.`);
  }
  return null;
}
