import "server-only";
import type { ToolFormat, ToolListing } from "@/contracts/conversations";
import type { Holder } from "@/server/auth/actor";
import { type ConversationRow, findConversation } from "@/server/conversations/find-conversation";
import { activatedTools } from "@/server/conversations/get-conversation";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { type Catalog, type CatalogAgent, catalogOf, type RegisteredTool } from "./catalog";
import { disclose, effectiveSet } from "./disclosure";
import { presentListing } from "./present-listing";

/** What a conversation may call: the effective set of its agent, and which of it is callable without enabling. */
export type ToolScope = {
  catalog: Catalog;
  agent: CatalogAgent;
  effective: ReadonlyMap<string, RegisteredTool>;
  activated: ReadonlySet<string>;
};

/** Gathers the scope of a conversation; what it shows and what it runs come from this one place. */
export async function toolScopeOf(conversation: ConversationRow): Promise<ToolScope> {
  const [catalog, activated] = await Promise.all([
    catalogOf(conversation.workspaceId, conversation.configVersion),
    activatedTools(db(), conversation.id),
  ]);
  const agent = catalog.agents.get(conversation.agentId);
  if (!agent) throw new AppError("not_found", "The agent of this conversation does not exist any more.");
  return {
    catalog,
    agent,
    effective: new Map(effectiveSet(catalog.tools, agent).map((tool) => [tool.name, tool])),
    activated: new Set(activated),
  };
}

/** What to show the model of this conversation now, in its provider's own shape. */
export async function listConversationTools(actor: Holder<"tools:read">, conversationId: string, format: ToolFormat): Promise<ToolListing> {
  const scope = await toolScopeOf(await findConversation(actor, conversationId));
  return presentListing(disclose([...scope.effective.values()], scope.agent, scope.activated), format);
}
