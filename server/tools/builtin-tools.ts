import { processWide } from "@/server/platform/process-wide";
import type { AnyTool } from "./define-tool";

const registry = () => processWide("builtinTools", () => ({ tools: [] as readonly AnyTool[], byName: new Map<string, AnyTool>() }));

/** Sets the tools that ship with Handrail. Families define them, because the core names no tool. */
export function provideBuiltinTools(tools: readonly AnyTool[]): void {
  Object.assign(registry(), { tools, byName: new Map(tools.map((tool) => [tool.name, tool])) });
}

/** Returns every tool that ships with Handrail, by name. */
export const builtinTools = (): readonly AnyTool[] => registry().tools;

export const builtinTool = (name: string): AnyTool | undefined => registry().byName.get(name);
