import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import { openRunStatuses } from "@/contracts/runs/runs";
import { agents, apiKeys, conversations, runs, turns } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { tellAgentObservers } from "./agent-observers";
import { lockAgent } from "./find-agent";

/**
 * Removes an agent with its conversations and the API keys that are bound to it.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `conflict` for the default agent and while a turn or a run of it is unfinished
 */
export async function removeAgent(actor: Authorized<"agents:write">, agentId: string, version: number | null): Promise<void> {
  await db().transaction(async (tx) => {
    const agent = await lockAgent(tx, actor.workspaceId, agentId, version);
    if (agent.isDefault) {
      throw new AppError("conflict", `"${agent.name}" is the default agent and cannot be removed, because calls without an agent use it.`);
    }
    // The lock keeps new turns out, because inserting a turn needs a key share lock on its conversation.
    const itsConversations = await tx
      .select({ id: conversations.id })
      .from(conversations)
      .where(eq(conversations.agentId, agentId))
      .for("update");
    const [unfinished] = await tx
      .select({ conversationId: turns.conversationId })
      .from(turns)
      .innerJoin(conversations, eq(turns.conversationId, conversations.id))
      .where(and(eq(conversations.agentId, agentId), inArray(turns.status, ["running", "suspended"])))
      .limit(1);
    if (unfinished) {
      throw new AppError(
        "conflict",
        `"${agent.name}" has an unfinished turn in the conversation ${unfinished.conversationId}. Wait for the end of the turn or cancel it, then remove the agent.`,
      );
    }
    const [openRun] = await tx
      .select({ id: runs.id })
      .from(runs)
      .where(and(eq(runs.agentId, agentId), inArray(runs.status, [...openRunStatuses])))
      .limit(1);
    if (openRun) {
      throw new AppError(
        "conflict",
        `"${agent.name}" has the unfinished run ${openRun.id}. Wait for its end or cancel it, then remove the agent.`,
      );
    }
    const itsKeys = await tx.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.agentId, agentId));
    await tx.delete(agents).where(eq(agents.id, agentId));
    await tellAgentObservers(tx, { workspaceId: actor.workspaceId, agentId });
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "agent.removed",
      actor: toActorRef(actor),
      subject: agentId,
      data: { name: agent.name, conversations: itsConversations.length, apiKeys: itsKeys.map(({ name }) => name) },
      requestId: actor.requestId,
    });
  });
}
