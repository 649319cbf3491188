import type { Tool } from "@/contracts/tools";

export type ToolChoice = { query: string; source: string | null; family: string | null };

/** Where a tool comes from, as people read it and as the address says it: `builtin`, `mcp:files`. */
export function sourceOf(tool: Pick<Tool, "source" | "sourceName">): string {
  return tool.sourceName ? `${tool.source}:${tool.sourceName}` : tool.source;
}

/** The tools that fit every word of the query, wherever it stands, and the chosen source and family. */
export function filterTools(tools: readonly Tool[], { query, source, family }: ToolChoice): Tool[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter((tool) => {
    if (source !== null && sourceOf(tool) !== source) return false;
    if (family !== null && tool.family !== family) return false;
    const text = [tool.name, tool.title, tool.description, tool.family, ...tool.aliases].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The different values of something about the tools, in order. */
export function choicesOf(tools: readonly Tool[], of: (tool: Tool) => string): string[] {
  return [...new Set(tools.map(of))].sort();
}
