import { processWide } from "@/server/platform/process-wide";
import { builtinTools } from "./builtin";
import type { AnyTool } from "./define-tool";

type BySource = Map<string, ReadonlyMap<string, AnyTool>>;
const live = () => processWide("liveTools", () => new Map<string, BySource>());
const builtin = () => processWide("builtinTools", () => new Map(builtinTools.map((tool) => [tool.name, tool])));

/** Replaces the tools of one source (an MCP server's id) that this replica can run for a workspace. */
export function provideTools(workspaceId: string, sourceRef: string, tools: readonly AnyTool[]): void {
  const sources: BySource = live().get(workspaceId) ?? new Map();
  sources.set(sourceRef, new Map(tools.map((tool) => [tool.name, tool])));
  live().set(workspaceId, sources);
}

/** Forgets a source: its tools stay listed, and calling one fails with the reason. */
export function withdrawTools(workspaceId: string, sourceRef: string): void {
  live().get(workspaceId)?.delete(sourceRef);
}

/** What runs a tool on this replica now, or nothing when its source is away. */
export function liveTool(workspaceId: string, tool: { name: string; sourceRef: string | null }): AnyTool | undefined {
  return tool.sourceRef === null ? builtin().get(tool.name) : live().get(workspaceId)?.get(tool.sourceRef)?.get(tool.name);
}
