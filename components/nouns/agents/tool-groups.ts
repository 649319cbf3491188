import { filterTools, toolSource } from "@/components/nouns/tools/filter-tools";
import type { Tool } from "@/contracts/tools/tools";

/** The tools of one source that match the search, in listing order. */
export type ToolGroup = { source: string; tools: Tool[] };

/** Groups the tools that can be ticked by source. Leaves out tools that every agent has. */
export function toolGroups(tools: readonly Tool[], query: string): ToolGroup[] {
  const fitting = filterTools(tools, { query, source: null, family: null }).filter((tool) => !isAlwaysOn(tool));
  return [...Map.groupBy(fitting, toolSource)].map(([source, ofSource]) => ({ source, tools: ofSource }));
}

/** Returns whether all, some or none of the tools are ticked. */
export function computeTickState(tools: readonly Tool[], ticked: ReadonlySet<string>): "all" | "some" | "none" {
  const count = tools.filter(({ name }) => ticked.has(name)).length;
  return count === 0 ? "none" : count === tools.length ? "all" : "some";
}

/** Returns the selection with these names ticked or not, sorted. */
export function withTicks(ticked: readonly string[], names: readonly string[], isTicked: boolean): string[] {
  const changed = new Set(names);
  const others = ticked.filter((name) => !changed.has(name));
  return (isTicked ? [...others, ...changed] : others).sort();
}

/** Describes the unsaved change of a selection: "2 added, 1 removed". Null for no change. */
export function changeWords(before: readonly string[], after: readonly string[]): string | null {
  const [had, has] = [new Set(before), new Set(after)];
  const added = [...has].filter((name) => !had.has(name)).length;
  const removed = [...had].filter((name) => !has.has(name)).length;
  if (added === 0 && removed === 0) return null;
  return [added > 0 ? `${added} added` : null, removed > 0 ? `${removed} removed` : null].filter(Boolean).join(", ");
}

/** Returns whether every agent has the tool, because the tool gives access to other tools. */
const isAlwaysOn = ({ source, tierLockedReason }: Tool): boolean => source === "builtin" && tierLockedReason !== null;
