import "server-only";
import { and, eq, or } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { agents, conversations } from "@/db/schema";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

export type AgentRow = typeof agents.$inferSelect;

/** The group of a privileged agent. */
export type Group = { workspaceId: string; conversationId: string; agent: AgentRow; by: ActorRef };

export type GroupCapability = {
  /**
   * Works on the group in one transaction.
   * @throws AppError `forbidden` for an agent that is not privileged, and for a key that may start no other agent
   */
  change: <Result>(work: (tx: Db, group: Group) => Promise<Result>) => Promise<Result>;
};

export const group = defineCapability({
  name: "group",
  title: "The agent's group",
  isOfConversation: true,
  create: ({ workspaceId, conversationId, callId, actor: by }): GroupCapability => ({
    change: async (work) => {
      await refuseBoundKey(by, { workspaceId, requestId: callId });
      return db().transaction(async (tx) =>
        work(tx, { workspaceId, conversationId, by, agent: await requirePrivileged(tx, conversationId) }),
      );
    },
  }),
});

async function requirePrivileged(tx: Db, conversationId: string): Promise<AgentRow> {
  const [found] = await tx
    .select({ agent: agents })
    .from(conversations)
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(eq(conversations.id, conversationId));
  if (found?.agent.privileged) return found.agent;
  throw new AppError("forbidden", "Group tools are for privileged agents only. An admin marks an agent as privileged in its settings.");
}

/** Nodes act for whoever the group acts for, and a key that is bound to one agent cannot start another one. */
async function refuseBoundKey(by: ActorRef, scope: { workspaceId: string; requestId: string }): Promise<void> {
  const { agentId } = await actorFromRef(by, scope);
  if (agentId === null) return;
  throw new AppError(
    "forbidden",
    `The API key "${by.name}" is bound to one agent, so it can start no node. Let a member or an unbound key start the privileged agent.`,
  );
}

/** Finds an agent of the workspace by name or id. @throws AppError `not_found` */
export async function findAgentByName(tx: Db, workspaceId: string, asked: string): Promise<AgentRow> {
  const isId = /^[0-9a-f-]{36}$/i.test(asked);
  const [agent] = await tx
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), or(eq(agents.name, asked), isId ? eq(agents.id, asked) : undefined)));
  if (agent) return agent;
  throw new AppError("not_found", `There is no agent "${asked.slice(0, 100)}" in this workspace. Send the name of an existing one.`);
}
