import type { Tool } from "@/contracts/tools/tools";

export type ToolChoice = { query: string; source: string | null; family: string | null };

/** Returns a tool's source as the address and the page name it: `builtin`, `mcp:files`. */
export function toolSource(tool: Pick<Tool, "source" | "sourceName">): string {
  return tool.sourceName ? `${tool.source}:${tool.sourceName}` : tool.source;
}

/** Returns the description without the server's name at its start, because the source column shows it. */
export function shownDescription({ description, sourceName }: Pick<Tool, "description" | "sourceName">): string {
  const prefix = `[MCP server: ${sourceName}] `;
  return description.startsWith(prefix) ? description.slice(prefix.length) : description;
}

/** Returns the tools that match every word of the query, the source and the family. */
export function filterTools(tools: readonly Tool[], { query, source, family }: ToolChoice): Tool[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter((tool) => {
    if (source !== null && toolSource(tool) !== source) return false;
    if (family !== null && tool.family !== family) return false;
    const text = [tool.name, tool.title, tool.description, tool.family, ...tool.aliases].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns the distinct values of a property of the tools, sorted. */
export function distinctChoices(tools: readonly Tool[], of: (tool: Tool) => string): string[] {
  return [...new Set(tools.map(of))].sort();
}
