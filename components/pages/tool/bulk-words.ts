import { tierNames } from "@/components/nouns/tools/sum-tokens";
import type { ToolsChanged } from "@/contracts/tools/tools";
import type { ToolChange } from "./use-change-tool";

/** Describes the result of a bulk change in one sentence. */
export function changedWords(count: number, change: ToolChange): string {
  const tools = `${count} ${count === 1 ? "tool" : "tools"}`;
  if ("tier" in change) return `${tools} moved to ${tierNames[change.tier]}`;
  return `${tools} ${change.enabled ? "enabled" : "disabled"}`;
}

/** Groups refused tools by reason, the most frequent first. */
export function refusalsByReason(refused: ToolsChanged["refused"]): { reason: string; tools: string[] }[] {
  return [...Map.groupBy(refused, ({ reason }) => reason)]
    .map(([reason, rows]) => ({ reason, tools: rows.map(({ tool }) => tool) }))
    .toSorted((a, b) => b.tools.length - a.tools.length);
}
