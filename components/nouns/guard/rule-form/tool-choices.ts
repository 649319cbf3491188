import { type Tool, toolEffects, toolSurfaces } from "@/contracts/browser/tools/tools";
import { capabilityNames } from "@/contracts/generated-tools";

export type ChoiceGroup = { group: string; items: string[] };

/** Returns suggestions for the tool field: every tool, every server's tools, and the available kinds of tools. */
export function toolChoices(tools: readonly Pick<Tool, "name" | "source" | "sourceName">[]): ChoiceGroup[] {
  const sources = [...new Set(tools.map(({ source }) => source))].sort();
  const servers = [
    ...new Set(tools.flatMap(({ source, sourceName }) => (source === "mcp" && sourceName ? [`${sourceName}__*`] : []))),
  ].sort();
  return [
    { group: "Tools", items: tools.map(({ name }) => name) },
    { group: "All tools of a server", items: servers },
    {
      group: "Kinds of tools",
      items: [
        "*",
        ...toolEffects.map((effect) => `effect:${effect}`),
        ...toolSurfaces.map((surface) => `surface:${surface}`),
        ...sources.map((source) => `source:${source}`),
        ...capabilityNames.map((capability) => `needs:${capability}`),
      ],
    },
  ].filter(({ items }) => items.length > 0);
}
