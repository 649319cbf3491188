import "server-only";
import { type KeyLimits, keyLimitsOf, noTrust } from "@/server/auth/key-limits";
import { type ConversationRow, deletedMeanwhile, readConversation, rememberedConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { type Policy, policyOf } from "@/server/guard/policy";
import type { HooksByEvent } from "@/server/hooks/compile-hook";
import { hooksOf } from "@/server/hooks/hooks-of";
import { configVersionOf } from "@/server/platform/versioned-cache";
import type { CatalogAgent } from "@/server/tools/catalog";
import { type ToolScope, toolScopeOf } from "@/server/tools/list-conversation-tools";
import type { TurnRow } from "./present-turn";

/** What the calls of a turn are decided on and run with, as configuration has it at this moment. */
export type TurnContext = {
  turn: TurnRow;
  conversation: ConversationRow;
  agent: CatalogAgent;
  scope: ToolScope;
  policy: Policy;
  hooks: HooksByEvent;
  /** Of the API key that submitted the turn; null for everybody else. */
  keyLimits: KeyLimits | null;
  /** The workspace's config version that tools and policy are at least as new as. */
  configVersion: number;
  /** Absolute folder that file and shell tools see as `.` */
  folder: string;
};

/**
 * Tools, rules and clients are looked up anew for each segment; only data survives a suspension.
 * @param fresh reads the conversation's row, not what was remembered a moment ago
 * @throws AppError `not_found` when the conversation is gone.
 */
export async function turnContextOf(turn: TurnRow, { fresh = false } = {}): Promise<TurnContext> {
  const { conversationId, workspaceId } = turn;
  const conversation = await (fresh ? readConversation(conversationId) : rememberedConversation(conversationId));
  if (!conversation) throw deletedMeanwhile();
  const version = await configVersionOf(workspaceId);
  const scope = await toolScopeOf(conversation, version);
  const policy = await policyOf(workspaceId, version);
  return {
    turn,
    conversation,
    agent: scope.agent,
    scope,
    policy,
    hooks: await hooksOf(workspaceId, version),
    keyLimits: turn.requestedBy.type === "api_key" ? ((await keyLimitsOf(workspaceId, version)).get(turn.requestedBy.id) ?? noTrust) : null,
    configVersion: version,
    folder: workspaceFolder(conversation, scope.agent),
  };
}
