import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { LlmHookAnswer, LlmHookInput, RuntimeHookEvent } from "@/contracts/hooks/hooks";
import { findAgent } from "@/server/agents/find-agent";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { afterLlm, beforeLlm, loadHooksOf, onError } from "./model-hooks";

/**
 * Runs the hooks around a model call that a runtime makes itself. The runtime sends its request, the model's reply or the
 * error, and continues with the returned value.
 * @throws AppError `not_found` for the conversation, `invalid` when the part of the event is missing
 */
export async function runLlmHooks(
  actor: Authorized<"turns:write">,
  conversationId: string,
  event: RuntimeHookEvent,
  input: LlmHookInput,
): Promise<LlmHookAnswer> {
  const { workspaceId, agentId } = await findConversation(actor, conversationId);
  const { name } = await findAgent(db(), workspaceId, agentId);
  const place = await loadHooksOf({ workspaceId, conversationId, agent: { id: agentId, name }, requestedBy: toActorRef(actor) });
  switch (event) {
    case "before_llm":
      return beforeLlm(place, needed(input, "request"));
    case "after_llm":
      return afterLlm(place, needed(input, "reply"), input.request ?? null);
    case "on_error":
      return onError(place, needed(input, "error"), input.request ?? null);
  }
}

function needed(input: LlmHookInput, part: keyof LlmHookInput): JsonObject {
  const value = input[part];
  if (value) return value;
  const message = `send it: it is what the hooks look at`;
  throw new AppError("invalid", `The body has no ${part}. Send it, because the hooks of this event check it.`, {
    errors: [{ path: part, message }],
  });
}
