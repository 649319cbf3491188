import { processWide } from "@/server/platform/process-wide";
import { builtinTool } from "./builtin-tools";
import type { AnyTool } from "./define-tool";

type BySource = Map<string, ReadonlyMap<string, AnyTool>>;
const live = () => processWide("liveTools", () => new Map<string, BySource>());

/** Replaces the tools of one source (an MCP server's id) that this replica can run for a workspace. */
export function provideTools(workspaceId: string, sourceRef: string, tools: readonly AnyTool[]): void {
  const sources: BySource = live().get(workspaceId) ?? new Map();
  sources.set(sourceRef, new Map(tools.map((tool) => [tool.name, tool])));
  live().set(workspaceId, sources);
}

/** Forgets a source: its tools stay listed, and a call of one fails with the reason. */
export function withdrawTools(workspaceId: string, sourceRef: string): void {
  live().get(workspaceId)?.delete(sourceRef);
}

/** Returns the runnable tool on this replica; undefined when its source is not connected. */
export function liveTool(workspaceId: string, tool: { name: string; sourceRef: string | null; stored?: AnyTool }): AnyTool | undefined {
  if (tool.stored) return tool.stored;
  return tool.sourceRef === null ? builtinTool(tool.name) : live().get(workspaceId)?.get(tool.sourceRef)?.get(tool.name);
}
