import "server-only";
import type { ToolFormat, ToolListing } from "@/contracts/conversations";
import type { Holder } from "@/server/auth/actor";
import { type ConversationRow, findConversation } from "@/server/conversations/find-conversation";
import { AppError } from "@/server/platform/errors";
import { type Catalog, type CatalogAgent, catalogOf, type RegisteredTool } from "./catalog";
import { disclose } from "./disclosure";
import { presentListing } from "./present-listing";

/** What a conversation may call: the effective set of its agent, and which of it is callable without enabling. */
export type ToolScope = {
  catalog: Catalog;
  agent: CatalogAgent;
  effective: ReadonlyMap<string, RegisteredTool>;
  activated: ReadonlySet<string>;
};

/**
 * Gathers the scope of a conversation; what it shows and what it runs come from this one place.
 * @param configVersion the workspace's config version when the caller knows it
 */
export async function toolScopeOf(conversation: ConversationRow, configVersion?: number): Promise<ToolScope> {
  const catalog = await catalogOf(conversation.workspaceId, configVersion);
  const agent = catalog.agents.get(conversation.agentId);
  if (!agent) throw new AppError("not_found", "The agent of this conversation does not exist any more.");
  return { catalog, agent, effective: agent.effective, activated: new Set(conversation.activated) };
}

/** What to show the model of this conversation now, in its provider's own shape. */
export async function listConversationTools(actor: Holder<"tools:read">, conversationId: string, format: ToolFormat): Promise<ToolListing> {
  const scope = await toolScopeOf(await findConversation(actor, conversationId));
  return presentListing(disclose([...scope.effective.values()], scope.agent, scope.activated), format);
}
