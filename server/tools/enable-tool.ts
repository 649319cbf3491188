import "server-only";
import type { ActorRef } from "@/contracts/common";
import { activations } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type ConversationRow, conversationChanged } from "@/server/conversations/find-conversation";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import type { ToolScope } from "./list-conversation-tools";

/**
 * Makes an extension tool callable in one conversation, from the next step on; the tool itself stays unchanged. The
 * sentences match those that models were trained on for such a tool (behaviour of MateClaw).
 */
export async function enableTool(conversation: ConversationRow, scope: ToolScope, actor: ActorRef, requestedName: string): Promise<string> {
  const registered = scope.catalog.find(requestedName.trim());
  const tool = registered && scope.effective.get(registered.name);
  if (!tool) {
    throw new AppError(
      "not_found",
      `Tool '${requestedName.trim()}' is not available to this agent. Use the exact function name from the extension tools directory.`,
    );
  }
  if (tool.tier === "core" || scope.agent.disclosureMode === "legacy" || scope.activated.has(tool.name)) {
    return `Tool '${tool.name}' is already directly callable — just call it, no need to enable.`;
  }
  await db().transaction(async (tx) => {
    const added = await tx
      .insert(activations)
      .values({ conversationId: conversation.id, toolName: tool.name })
      .onConflictDoNothing()
      .returning({ toolName: activations.toolName });
    if (added.length === 0) return;
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
