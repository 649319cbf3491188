import "server-only";
import type { Tool } from "@modelcontextprotocol/server";
import { requirePermission } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import { isForModels } from "@/server/tools/app-meta";
import { loadCatalog } from "@/server/tools/catalog";
import { disclose } from "@/server/tools/disclosure/disclosure";
import { advertise, presentListing, type ScopeListing } from "@/server/tools/disclosure/present-listing";
import { listConversationTools, loadToolScope } from "@/server/tools/list-conversation-tools";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import { getResultTool } from "../call/get-result";
import { findClientConversation } from "../client/client-conversation";
import type { McpClient } from "../client/mcp-client";

/**
 * Lists the tools of the client's conversation; before its first call, those of a new conversation of the key's agent.
 * Tools for apps only come last: the client's program calls them, and hides them from its model by their `_meta`.
 */
export async function listForClient(client: McpClient): Promise<ScopeListing> {
  const actor = requirePermission(client.actor, "tools:read");
  const conversationId = await findClientConversation(client);
  if (conversationId !== null) {
    const { effective } = await loadToolScope(await findConversation(actor, conversationId));
    return withAppTools(await listConversationTools(actor, conversationId, "mcp"), effective);
  }
  const { agents } = await loadCatalog(actor.workspaceId);
  const agent = actor.agentId ? agents.get(actor.agentId) : [...agents.values()].find(({ isDefault }) => isDefault);
  if (!agent) throw new AppError("not_found", "The agent of this API key does not exist any more. Create a key for another agent.");
  return withAppTools(presentListing(disclose([...agent.effective.values()], agent, new Set()), "mcp"), agent.effective);
}

function withAppTools(listing: ScopeListing, effective: ReadonlyMap<string, RegisteredTool>): ScopeListing {
  const forApps = [...effective.values()]
    .filter(({ meta, availability }) => !isForModels(meta) && availability !== "unavailable")
    .map((tool) => advertise(tool, "mcp"));
  if (forApps.length === 0) return listing;
  return {
    ...listing,
    tools: [...listing.tools, ...forApps],
    toolsHash: sha256(canonicalJson({ listed: listing.toolsHash, forApps })),
  };
}

/** Returns the tools of a listing and, last, `get_result`. */
export function advertisedTools({ tools }: Pick<ScopeListing, "tools">): Tool[] {
  const own = (tools as unknown as Tool[]).filter(({ name }) => name !== getResultTool.name);
  return [...own, getResultTool];
}

/** Returns the instructions for the model: the directory of extension tools and how to use it; undefined without one. */
export function instructionsOf({ directory, hints }: ScopeListing): string | undefined {
  return [directory, hints].filter((text) => text !== "").join("\n") || undefined;
}
