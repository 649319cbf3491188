import type { Tool } from "@/contracts/tools/tools";

/** Returns the parameter names that a pattern may be matched against: those of the single tool, primary argument first. */
export function parameterChoices(tool: string, tools: readonly Pick<Tool, "name" | "inputSchema" | "primaryArgument">[]): string[] {
  const chosen = tools.find(({ name }) => name === tool);
  const properties = chosen?.inputSchema.properties;
  if (!chosen || typeof properties !== "object" || properties === null || Array.isArray(properties)) return [];
  const names = Object.keys(properties);
  return names.toSorted((a, b) => Number(b === chosen.primaryArgument) - Number(a === chosen.primaryArgument));
}
