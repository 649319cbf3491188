import "server-only";
import type { Tool } from "@modelcontextprotocol/server";
import { requirePermission } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { loadCatalog } from "@/server/tools/catalog";
import { disclose } from "@/server/tools/disclosure";
import { listConversationTools } from "@/server/tools/list-conversation-tools";
import { presentListing, type ScopeListing } from "@/server/tools/present-listing";
import { getResultTool } from "../call/get-result";
import { findClientConversation } from "../client/client-conversation";
import type { McpClient } from "../client/mcp-client";

/** Lists the tools of the client's conversation; before its first call, those of a new conversation of the key's agent. */
export async function listForClient(client: McpClient): Promise<ScopeListing> {
  const actor = requirePermission(client.actor, "tools:read");
  const conversationId = await findClientConversation(client);
  if (conversationId !== null) return listConversationTools(actor, conversationId, "mcp");
  const { agents } = await loadCatalog(actor.workspaceId);
  const agent = actor.agentId ? agents.get(actor.agentId) : [...agents.values()].find(({ isDefault }) => isDefault);
  if (!agent) throw new AppError("not_found", "The agent of this API key does not exist any more. Create a key for another agent.");
  return presentListing(disclose([...agent.effective.values()], agent, new Set()), "mcp");
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
