import "server-only";
import { LRUCache } from "lru-cache";
import type { ToolFormat, ToolListing } from "@/contracts/conversations/conversations";
import type { Authorized } from "@/server/auth/actor";
import { type ConversationRow, findConversation } from "@/server/conversations/find-conversation";
import type { NativeTool } from "@/server/models/model-request";
import { AppError } from "@/server/platform/errors";
import { type Catalog, loadCatalog } from "./catalog";
import { findStaleActivations } from "./disclosure/demoted-tools";
import { disclose } from "./disclosure/disclosure";
import { presentListing, type ScopeListing } from "./disclosure/present-listing";
import { writePromptSections } from "./disclosure/prompt-sections";
import { shapeByChannel } from "./disclosure/shape-by-channel";
import { nativeKind } from "./provider/provider-tools";
import type { CatalogAgent, RegisteredTool } from "./registered-tool";

/** The effective set of a conversation's agent, and the part of it that is callable without enabling. */
export type ToolScope = {
  catalog: Catalog;
  agent: CatalogAgent;
  effective: ReadonlyMap<string, RegisteredTool>;
  activated: ReadonlySet<string>;
  /** Tools whose documentation the model has read. */
  documented: ReadonlySet<string>;
  /** Core and activated tools that stand in the directory, because the budget of schemas is spent; they stay callable. */
  demoted: ReadonlySet<string>;
};

/**
 * Loads the scope of a conversation, the only source for both its listing and its calls.
 * @param configVersion the workspace's config version, if the caller knows it
 */
export async function loadToolScope(conversation: ConversationRow, configVersion?: number): Promise<ToolScope> {
  const catalog = await loadCatalog(conversation.workspaceId, configVersion);
  const agent = catalog.agents.get(conversation.agentId);
  if (!agent) throw new AppError("not_found", "The agent of this conversation does not exist any more.");
  if (conversation.allowedTools) return restrictedScope(conversation, catalog, agent, conversation.allowedTools);
  const { activated, channel } = conversation;
  const active = new Set(activated);
  const demoted = new Set([...[...agent.demoted].filter((name) => !active.has(name)), ...findStaleActivations(agent, activated)]);
  const effective = shapeByChannel(agent, channel);
  return { catalog, agent, effective, activated: active, documented: new Set(conversation.documented), demoted };
}

/** Agents restricted to some of their tools, by agent and names; the catalog replaces an agent when the configuration changes. */
const restricted = new WeakMap<CatalogAgent, LRUCache<string, CatalogAgent>>();
const maxRestrictions = 50;

/** Returns the scope of a conversation that may use only some of its agent's tools; all of them are shown in full. */
function restrictedScope(conversation: ConversationRow, catalog: Catalog, agent: CatalogAgent, names: readonly string[]): ToolScope {
  const ofAgent = restricted.get(agent) ?? new LRUCache<string, CatalogAgent>({ max: maxRestrictions });
  restricted.set(agent, ofAgent);
  const key = JSON.stringify(names);
  const allowed = new Set(names);
  const usable = [...agent.effective.values(), ...agent.internal];
  const known = ofAgent.get(key) ?? {
    ...agent,
    effective: new Map(usable.filter((tool) => allowed.has(tool.name) || tool.readsArtifacts).map((tool) => [tool.name, tool])),
    demoted: new Set<string>(),
  };
  ofAgent.set(key, known);
  const effective = shapeByChannel(known, conversation.channel);
  const documented = new Set(conversation.documented);
  return { catalog, agent: known, effective, activated: new Set(effective.keys()), documented, demoted: new Set() };
}

/** Listings by effective set; the catalog replaces the sets when the configuration changes. */
const listings = new WeakMap<ToolScope["effective"], LRUCache<string, ScopeListing>>();
const maxListings = 50;

/** Returns the listing of a scope. Conversations of an agent with the same set and the same activated tools share it. */
export function listScope({ agent, effective, activated, demoted }: ToolScope, format: ToolFormat): ScopeListing {
  const ofSet = listings.get(effective) ?? new LRUCache<string, ScopeListing>({ max: maxListings });
  listings.set(effective, ofSet);
  const key = JSON.stringify([format, [...activated], [...demoted]]);
  const known = ofSet.get(key);
  if (known) return known;
  const listing = presentListing(disclose([...effective.values()], agent, activated, demoted), format);
  ofSet.set(key, listing);
  return listing;
}

/** Returns the advertised tools that a model's own provider runs, whatever the provider is. */
export function listNativeTools({ agent, effective, activated, demoted }: ToolScope): NativeTool[] {
  const { advertised } = disclose([...effective.values()], agent, activated, demoted);
  return advertised.flatMap(({ source, name, nativeOptions = {} }) => {
    const kind = source === "provider" ? nativeKind(name) : null;
    return kind ? [{ kind, name, options: nativeOptions }] : [];
  });
}

/** Lists the conversation's tools for the model, in its provider's own format. */
export async function listConversationTools(
  actor: Authorized<"tools:read">,
  conversationId: string,
  format: ToolFormat,
): Promise<ToolListing> {
  const conversation = await findConversation(actor, conversationId);
  const scope = await loadToolScope(conversation);
  return { ...listScope(scope, format), sections: await writePromptSections(conversation) };
}
