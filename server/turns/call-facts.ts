import "server-only";
import { sourceLabel } from "@/contracts/tools/tools";
import { rememberedConversation } from "@/server/conversations/find-conversation";
import { type Catalog, loadCatalog } from "@/server/tools/catalog";
import type { CatalogAgent } from "@/server/tools/registered-tool";
import type { CallFacts } from "./live-turn";
import type { TurnRow } from "./read/present-turn";

/** Returns the agent and the tool sources of a turn's calls, for their audit rows. */
export function toCallFacts({ name }: Pick<CatalogAgent, "name">, catalog: Catalog): CallFacts {
  return {
    agent: name,
    sourceOf: (toolName) => {
      const tool = catalog.find(toolName);
      return tool ? sourceLabel(tool) : null;
    },
  };
}

/** Loads the call facts of a turn that this replica does not run; null when its conversation or agent is gone. */
export async function loadCallFacts({
  workspaceId,
  conversationId,
}: Pick<TurnRow, "workspaceId" | "conversationId">): Promise<CallFacts | null> {
  const conversation = await rememberedConversation(conversationId);
  if (!conversation) return null;
  const catalog = await loadCatalog(workspaceId);
  const agent = catalog.agents.get(conversation.agentId);
  return agent ? toCallFacts(agent, catalog) : null;
}
