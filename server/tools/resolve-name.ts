/**
 * Normalises the ways in which models misspell a function name: `WebSearch`, `web-search`, `web_search_tool` and `Web
 * Search` all become `web_search`. Runs before the guard, so that a misspelt name cannot avoid a rule.
 */
export function repairName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s.\-_]+/g, "_")
    .toLowerCase()
    .replace(/_(tool|function)$/, "")
    .replace(/^_|_$/g, "");
}

type Named = { name: string; aliases: readonly string[] };

/** Indexes tools by every accepted spelling. Exact names win over aliases, aliases over normalised spellings. */
export function nameIndex<T extends Named>(tools: readonly T[]): (requested: string) => T | undefined {
  const exact = new Map(tools.map((tool) => [tool.name, tool]));
  const aliases = new Map<string, T>();
  const repaired = new Map<string, T>();
  const addFirst = (index: Map<string, T>, key: string, tool: T) => {
    if (!index.has(key)) index.set(key, tool);
  };
  for (const tool of tools) {
    for (const alias of tool.aliases) addFirst(aliases, alias, tool);
    addFirst(repaired, repairName(tool.name), tool);
  }
  for (const tool of tools) for (const alias of tool.aliases) addFirst(repaired, repairName(alias), tool);
  // The name comes from a model: a Map has no inherited keys, so "constructor" is not found.
  return (requested) => exact.get(requested) ?? aliases.get(requested) ?? repaired.get(repairName(requested));
}
