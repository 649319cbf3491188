import type { RegisteredTool } from "../registered-tool";

type Described = Pick<RegisteredTool, "sourceName" | "shownDescription">;

/** Returns a tool's description without the words that repeat its MCP server's alias. */
export function withoutSource({ sourceName, shownDescription }: Described): string {
  const prefix = `[MCP server: ${sourceName}] `;
  return sourceName !== null && shownDescription.startsWith(prefix) ? shownDescription.slice(prefix.length) : shownDescription;
}

/** Returns the beginning of a description as one line; a cut one ends with `...`. */
export function descriptionLine(tool: Described, maxCharacters: number): string {
  const characters = [...withoutSource(tool).replace(/\s+/g, " ").trim()];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters).join("").trimEnd()}...` : characters.join("");
}
