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

/** Takes off the namespace that OpenAI's, Gemini's and other models write before a function: `functions.look`, `default_api:look`. */
const withoutNamespace = (name: string): string => name.replace(/^(?:functions|default_api|tools)[.:](?=.)/, "");

type Named = { name: string; aliases: readonly string[]; source?: string };

/**
 * Indexes tools by every accepted spelling. Exact names win over aliases, aliases over normalised spellings; of names with one normalised
 * spelling the most similar wins. The normalised name of a built-in tool wins over the exact name of an HTTP tool, because
 * rules for the built-in tool must hold for its spellings.
 */
export function nameIndex<T extends Named>(tools: readonly T[]): (requested: string) => T | undefined {
  const exact = new Map(tools.map((tool) => [tool.name, tool]));
  const aliases = new Map<string, T>();
  const repaired = Map.groupBy(tools, ({ name }) => repairName(name));
  const repairedAliases = new Map<string, T>();
  const addFirst = (index: Map<string, T>, key: string, tool: T) => {
    if (!index.has(key)) index.set(key, tool);
  };
  for (const tool of tools) {
    for (const alias of tool.aliases) {
      addFirst(aliases, alias, tool);
      addFirst(repairedAliases, repairName(alias), tool);
    }
  }
  // The name comes from a model: a Map has no inherited keys, so "constructor" is not found.
  const find = (requested: string): T | undefined => {
    const found = exact.get(requested);
    if (found?.source === "http") {
      const owner = exact.get(repairName(requested));
      return owner?.source === "builtin" ? owner : found;
    }
    const spelling = repairName(requested);
    return found ?? aliases.get(requested) ?? mostSimilar(requested, repaired.get(spelling) ?? []) ?? repairedAliases.get(spelling);
  };
  // Last, because a server may have the alias `tools`.
  return (requested) => find(requested) ?? find(withoutNamespace(requested));
}

/** Spellings that keep more of a name than `repairName` does, the most exact first. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name.replace(/[.:/]|__/g, "_"),
  (name) => name.replace(/[\s.:/\-_]+/g, "_"),
  (name) => name.replace(/[.:/]|__/g, "_").toLowerCase(),
];

function mostSimilar<T extends Named>(requested: string, [first, ...others]: readonly T[]): T | undefined {
  if (others.length === 0 || !first) return first;
  const all = [first, ...others];
  for (const spell of spellings) {
    const found = all.find(({ name }) => spell(name) === spell(requested));
    if (found) return found;
  }
  return first;
}
