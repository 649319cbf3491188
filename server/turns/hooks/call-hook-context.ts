import type { JsonObject } from "@/contracts/common";
import type { HookEvent } from "@/contracts/hooks/hook-actions";
import type { HookContext } from "@/server/hooks/hook-context";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import type { TurnContext } from "../turn-context";

/** Builds the context in which the hooks of a call run. */
export function toHookContext(
  { turn, conversation, agent }: TurnContext,
  callId: string,
  event: HookEvent,
  tool: RegisteredTool,
  args: JsonObject,
): HookContext {
  const { workspaceId, id: conversationId } = conversation;
  return { event, workspaceId, conversationId, turnId: turn.id, callId, agent: { id: agent.id, name: agent.name }, tool, arguments: args };
}
