import "server-only";
import { sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { activations } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type ConversationRow, conversationChanged } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { findStaleActivations } from "./disclosure/demoted-tools";
import { isOffered, whyNotOffered } from "./disclosure/disclosure";
import { keepRecentlyUsed } from "./disclosure/keep-recently-used";
import type { ToolScope } from "./list-conversation-tools";
import { suggestTools } from "./search/suggest-tools";

const maxTools = 20;

/**
 * Makes extension tools callable in one conversation, from the next step on; the tools themselves stay unchanged. The
 * sentences match those that models were trained on for such a tool (behaviour of MateClaw).
 * @param requestedNames one name, or several with commas between them
 * @throws AppError when none of them can be enabled
 */
export async function enableTool(
  conversation: ConversationRow,
  scope: ToolScope,
  actor: ActorRef,
  requestedNames: string,
): Promise<string> {
  const names = [...new Set(requestedNames.split(/[,\n]+/).map((name) => name.trim()))].filter(Boolean);
  if (names.length > maxTools) throw new AppError("invalid", `Enable at most ${maxTools} tools in one call.`);
  if (names.length <= 1) return enableOne(conversation, scope, actor, requestedNames);
  const sentences: string[] = [];
  const failures: AppError[] = [];
  for (const name of names) {
    try {
      sentences.push(await enableOne(conversation, scope, actor, name));
    } catch (error) {
      if (!isAppError(error)) throw error;
      sentences.push(error.message);
      failures.push(error);
    }
  }
  if (failures.length === names.length) throw new AppError("not_found", sentences.join("\n"));
  return sentences.join("\n");
}

async function enableOne(conversation: ConversationRow, scope: ToolScope, actor: ActorRef, requestedName: string): Promise<string> {
  const registered = scope.catalog.find(requestedName.trim());
  const tool = registered && scope.effective.get(registered.name);
  if (!tool) {
    const suggestions = await suggestTools(conversation.workspaceId, scope, requestedName);
    throw new AppError(
      "not_found",
      `Tool '${requestedName.trim()}' is not available to this agent. Use the exact function name from the extension tools directory.${suggestions}`,
    );
  }
  if (!isOffered(tool)) {
    throw new AppError(
      "unavailable",
      `Tool '${tool.name}' cannot be called right now: ${whyNotOffered(tool)} Go on without it, or try again later.`,
    );
  }
  const isShown = tool.tier === "core" || scope.agent.disclosureMode === "legacy" || scope.activated.has(tool.name);
  if (isShown && !scope.demoted.has(tool.name)) {
    return `Tool '${tool.name}' is already directly callable — just call it, no need to enable.`;
  }
  await db().transaction(async (tx) => {
    const added = await tx
      .insert(activations)
      .values({ conversationId: conversation.id, toolName: tool.name })
      // A tool that the budget moved back to the directory is activated anew, which makes it the newest one.
      .onConflictDoUpdate({ target: [activations.conversationId, activations.toolName], set: { createdAt: sql`now()` } })
      .returning({ toolName: activations.toolName });
    if (added.length === 0) return;
    const isOverBudget = findStaleActivations(scope.agent, [...scope.activated, tool.name]).length > 0;
    if (isOverBudget) await keepRecentlyUsed(tx, conversation.id, tool.name);
    await record(tx, {
      workspaceId: conversation.workspaceId,
      event: "tool.activated",
      actor,
      subject: tool.name,
      tool: tool.name,
      conversationId: conversation.id,
    });
    await signalOnCommit(tx, { topic: "conversation", conversationId: conversation.id });
  });
  conversationChanged(conversation.id);
  return `Tool '${tool.name}' is now active. Issue the call in your next response.`;
}
