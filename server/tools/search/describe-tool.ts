import "server-only";
import { sourceLabel } from "@/contracts/tools/tools";
import { AppError } from "@/server/platform/errors";
import { isOffered, whyNotOffered } from "../disclosure/disclosure";
import { serverInstructions } from "../disclosure/server-instructions";
import { withoutSource } from "../disclosure/tool-words";
import type { ToolScope } from "../list-conversation-tools";
import { suggestTools } from "./suggest-tools";

/** Tokens of a server's instructions, which the prompt may have cut. */
const instructionTokens = 1_000;

/** Returns description and schema of one tool of the agent and its server's instructions, for the model. @throws AppError `not_found`, with tools of similar names. */
export async function describeTool(workspaceId: string, scope: ToolScope, requestedName: string): Promise<string> {
  const registered = scope.catalog.find(requestedName.trim());
  const tool = registered && scope.effective.get(registered.name);
  if (!tool) {
    throw new AppError(
      "not_found",
      `Tool '${requestedName.trim()}' is not available to this agent.${await suggestTools(workspaceId, scope, requestedName)}`,
    );
  }
  const why = isOffered(tool) ? "" : `\nIt cannot be called now: ${whyNotOffered(tool)}`;
  const instructions = serverInstructions([tool], instructionTokens);
  return [
    `${tool.name} (${sourceLabel(tool)}, effect: ${tool.effect})`,
    withoutSource(tool),
    `Arguments: ${JSON.stringify(tool.shownInputSchema)}${why}`,
    ...(instructions ? [instructions] : []),
  ].join("\n");
}
