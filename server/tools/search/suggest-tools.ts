import "server-only";
import { isOffered } from "../disclosure/disclosure";
import type { ToolScope } from "../list-conversation-tools";
import { nearestName } from "../nearest-name";
import { findTools } from "./search-tools";

const maxSuggestions = 3;
const maxCompared = 1_000;

/** Returns a sentence with the agent's tools whose names are near a wrong one; empty when none is. */
export async function suggestTools(workspaceId: string, scope: ToolScope, written: string): Promise<string> {
  const found = await findTools(workspaceId, scope, written.slice(0, 200), maxCompared);
  const offered = [...scope.effective.values()].filter((tool) => isOffered(tool) && !tool.hiddenUntilActive);
  // Every name costs a comparison of letters, so among many tools only those that share a word are compared.
  const compared = offered.length > maxCompared ? found : offered;
  const nearest = nearestName(
    written,
    compared.map(({ name }) => name),
  );
  const names = [...new Set([...(nearest === null ? [] : [nearest]), ...found.map(({ name }) => name)])].slice(0, maxSuggestions);
  return names.length === 0 ? "" : ` Did you mean ${names.join(", ")}?`;
}
