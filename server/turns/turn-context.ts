import "server-only";
import { type KeyLimits, loadKeyLimits, noTrust } from "@/server/auth/api-keys/key-limits";
import { type ConversationRow, deletedMeanwhile, readConversation, rememberedConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import type { RepositoryPolicy } from "@/server/guard/call/guard-request";
import type { HooksByEvent } from "@/server/hooks/compile-hook";
import { loadHooks } from "@/server/hooks/load-hooks";
import { loadConfigVersion } from "@/server/platform/signals/versioned-cache";
import { loadPolicy, type Policy } from "@/server/policy/policy";
import { loadRepositoryPolicy } from "@/server/policy/repository-policies";
import { loadToolScope, type ToolScope } from "@/server/tools/list-conversation-tools";
import type { CatalogAgent } from "@/server/tools/registered-tool";
import { loadResultSettings } from "@/server/tools/results/result-settings";
import type { TurnRow } from "./read/present-turn";

/** Everything with which a turn's calls are decided and run, under the current configuration. */
export type TurnContext = {
  turn: TurnRow;
  conversation: ConversationRow;
  agent: CatalogAgent;
  scope: ToolScope;
  policy: Policy;
  hooks: HooksByEvent;
  results: Awaited<ReturnType<typeof loadResultSettings>>;
  /** Limits of the API key that submitted the turn; null for other actors. */
  keyLimits: KeyLimits | null;
  /** The workspace's config version; tools and policy are at least as new. */
  configVersion: number;
  /** Absolute folder that file and shell tools see as `.` */
  folder: string;
  /** The policy file of the repository in which a client works; absent when it has none. */
  repositoryPolicy?: RepositoryPolicy;
  /** Refused calls that count for nothing here, because the approvers of this call saw the whole reply. */
  seenRefusals?: ReadonlySet<string>;
};

/** The part of a turn on which decisions depend; an evaluation has no more of one. */
type DecidedTurn = Pick<TurnRow, "conversationId" | "workspaceId" | "requestedBy" | "machine">;

/** Everything with which a call is decided, in a turn or in an evaluation. */
export type DecisionContext = Omit<TurnContext, "turn"> & { turn: DecidedTurn };

/**
 * Loads the context of a turn. Tools, rules and clients are loaded anew for each segment, because only data survives a suspension.
 * @param fresh reads the conversation's row instead of the cached one
 * @throws AppError `not_found` when the conversation is gone.
 */
export async function loadTurnContext<Turn extends DecidedTurn>(
  turn: Turn,
  { fresh = false } = {},
): Promise<Omit<TurnContext, "turn"> & { turn: Turn }> {
  const { conversationId, workspaceId } = turn;
  const conversation = await (fresh ? readConversation(conversationId) : rememberedConversation(conversationId));
  if (!conversation) throw deletedMeanwhile();
  const version = await loadConfigVersion(workspaceId);
  const scope = await loadToolScope(conversation, version);
  const policy = await loadPolicy(workspaceId, version);
  const repositoryPolicy = await loadRepositoryPolicy(workspaceId, turn.machine?.policy);
  return {
    turn,
    conversation,
    agent: scope.agent,
    scope,
    policy,
    hooks: await loadHooks(workspaceId, version),
    results: await loadResultSettings(workspaceId, version),
    keyLimits:
      turn.requestedBy.type === "api_key" ? ((await loadKeyLimits(workspaceId, version)).get(turn.requestedBy.id) ?? noTrust) : null,
    configVersion: version,
    folder: workspaceFolder(conversation, scope.agent),
    ...(repositoryPolicy ? { repositoryPolicy } : {}),
  };
}
