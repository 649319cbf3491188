import type { JsonObject } from "@/contracts/common";
import type { HookEvent } from "@/contracts/hook-actions";
import type { HookScene } from "@/server/hooks/scene";
import type { RegisteredTool } from "@/server/tools/catalog";
import type { TurnContext } from "./turn-context";

/** Where the hooks of a call run. */
export function sceneOf(
  { turn, conversation, agent }: TurnContext,
  callId: string,
  event: HookEvent,
  tool: RegisteredTool,
  args: JsonObject,
): HookScene {
  const { workspaceId, id: conversationId } = conversation;
  return { event, workspaceId, conversationId, turnId: turn.id, callId, agent: { id: agent.id, name: agent.name }, tool, arguments: args };
}
