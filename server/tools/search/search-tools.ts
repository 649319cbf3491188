import "server-only";
import { sourceLabel } from "@/contracts/tools/tools";
import { isOffered } from "../disclosure/disclosure";
import { descriptionLine } from "../disclosure/tool-words";
import type { ToolScope } from "../list-conversation-tools";
import type { RegisteredTool } from "../registered-tool";
import { loadToolIndex } from "./workspace-index";

const lineCharacters = 180;
const maxParametersShown = 12;

/** Returns the tools of an agent that fit a request, best first. */
export async function findTools(workspaceId: string, scope: ToolScope, request: string, limit: number): Promise<RegisteredTool[]> {
  const index = await loadToolIndex(workspaceId, scope.catalog.tools);
  const isIncluded = (name: string) => {
    const tool = scope.effective.get(name);
    return tool !== undefined && !tool.alwaysOn && !tool.hiddenUntilActive && isOffered(tool);
  };
  return index.search(request, limit, isIncluded).flatMap(({ name }) => scope.effective.get(name) ?? []);
}

/** Returns a line for each tool that fits a query, for the model. An empty query lists the sources instead. */
export async function searchTools(workspaceId: string, scope: ToolScope, query: string, limit: number): Promise<string> {
  if (query.trim() === "") return listSources(scope);
  const found = await findTools(workspaceId, scope, query, limit);
  if (found.length === 0) {
    return `No tool fits "${query.slice(0, 200)}". Search again with other words for the task, one task a search.`;
  }
  return found.map(resultLine).join("\n");
}

function resultLine(tool: RegisteredTool): string {
  const names = Object.keys((tool.shownInputSchema.properties ?? {}) as object);
  const shown = names.slice(0, maxParametersShown).join(", ");
  const parameters = names.length > maxParametersShown ? `${shown}, ...` : shown;
  return `- ${tool.name} (${sourceLabel(tool)}): ${descriptionLine(tool, lineCharacters)}${parameters ? ` Takes ${parameters}.` : ""}`;
}

function listSources(scope: ToolScope): string {
  const tools = [...scope.effective.values()].filter((tool) => !tool.alwaysOn && !tool.hiddenUntilActive && isOffered(tool));
  const counts = [...Map.groupBy(tools, sourceLabel)].map(([source, { length }]) => `- ${source}: ${length}`);
  return [`${tools.length} tools, by source. Search with words for the task.`, ...counts.slice(0, 200)].join("\n");
}
