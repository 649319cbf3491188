import { definitionParts, type ToolDefinition } from "@/contracts/tools/tool-changes";
import { canonicalJson } from "@/server/platform/crypto";

type Part = (typeof definitionParts)[number];

/** Returns the parts of a definition that differ from the pin; all of them without a pin. */
export function differingParts(before: ToolDefinition | null, after: ToolDefinition): Part[] {
  if (before === null) return [...definitionParts];
  const partsOf = (definition: ToolDefinition): Record<Part, unknown> => ({
    name: definition.rawName,
    title: definition.title,
    description: definition.description,
    schema: definition.inputSchema,
    // A definition that was kept before output schemas were has none.
    outputSchema: definition.outputSchema ?? null,
    annotations: definition.annotations,
  });
  const [old, now] = [partsOf(before), partsOf(after)];
  return definitionParts.filter((part) => canonicalJson(old[part]) !== canonicalJson(now[part]));
}
