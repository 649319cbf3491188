import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@/contracts/common";
import { isAppError } from "@/server/platform/errors";
import type { AnyTool } from "@/server/tools/define-tool";
import type { ReadyCall } from "../step-data";
import type { TurnContext } from "../turn-context";

/** A tool refuses the arguments because of the conversation's or the workspace's state; nobody needs to be asked. */
export class IncompleteArguments extends Error {}

type Scope = Pick<TurnContext, "conversation" | "folder">;

/**
 * Lets a tool complete its arguments from the conversation's state, so that the guard decides the call that will run.
 * @throws IncompleteArguments when the tool refuses them
 */
export async function completeArguments({ conversation, folder }: Scope, tool: AnyTool, args: JsonObject): Promise<JsonObject> {
  const scope = { workspaceId: conversation.workspaceId, conversationId: conversation.id, folder };
  if (!tool.completeArguments) return args;
  return tool.completeArguments(args, scope).catch((error: unknown) => {
    throw isAppError(error) ? new IncompleteArguments(error.message) : error;
  });
}

/**
 * Returns whether the state with which calls were completed is still the conversation's state. An earlier call of the
 * turn may have changed it after the decision; such calls are planned and decided again.
 */
export async function areStillComplete(scope: Scope, calls: readonly ReadyCall[]): Promise<boolean> {
  for (const { tool, given, arguments: args } of calls) {
    if (!given) continue;
    // Arguments that the tool refuses by now are planned again, too: deciding them says why.
    const completed = await completeArguments(scope, tool, given).catch((error) => {
      if (error instanceof IncompleteArguments) return null;
      throw error;
    });
    if (!isDeepStrictEqual(completed, args)) return false;
  }
  return true;
}
