import "server-only";
import type { ToolFormat, ToolListing } from "@/contracts/conversations";
import type { Authorized } from "@/server/auth/actor";
import { type ConversationRow, findConversation } from "@/server/conversations/find-conversation";
import { AppError } from "@/server/platform/errors";
import { type Catalog, type CatalogAgent, loadCatalog, type RegisteredTool } from "./catalog";
import { disclose } from "./disclosure";
import { presentListing } from "./present-listing";

/** The effective set of a conversation's agent, and the part of it that is callable without enabling. */
export type ToolScope = {
  catalog: Catalog;
  agent: CatalogAgent;
  effective: ReadonlyMap<string, RegisteredTool>;
  activated: ReadonlySet<string>;
};

/**
 * Loads the scope of a conversation, the only source for both its listing and its calls.
 * @param configVersion the workspace's config version, if the caller knows it
 */
export async function loadToolScope(conversation: ConversationRow, configVersion?: number): Promise<ToolScope> {
  const catalog = await loadCatalog(conversation.workspaceId, configVersion);
  const agent = catalog.agents.get(conversation.agentId);
  if (!agent) throw new AppError("not_found", "The agent of this conversation does not exist any more.");
  return { catalog, agent, effective: agent.effective, activated: new Set(conversation.activated) };
}

/** Lists the conversation's tools for the model, in its provider's own format. */
export async function listConversationTools(
  actor: Authorized<"tools:read">,
  conversationId: string,
  format: ToolFormat,
): Promise<ToolListing> {
  const scope = await loadToolScope(await findConversation(actor, conversationId));
  return presentListing(disclose([...scope.effective.values()], scope.agent, scope.activated), format);
}
