import "server-only";
import { and, eq, or } from "drizzle-orm";
import { z } from "zod";
import type { Conversation, ConversationDraft, ConversationOrigin } from "@/contracts/conversations/conversations";
import type { Db } from "@/db/client";
import { agents, conversations } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { takeConversation } from "./conversation-rate";
import { type ConversationRow, maySee } from "./find-conversation";
import { activatedTools, presentConversation } from "./get-conversation";

type AgentRow = typeof agents.$inferSelect;
/** Who may open a conversation: an agent runtime, or a coding agent that asks about its own calls. */
type Opener = Authorized<"turns:write"> | Authorized<"guard:ask">;
type Opened = { conversation: Conversation; created: boolean };

/** Origins whose conversations are not interactive unless the runtime says so. */
const unattended: ReadonlySet<ConversationOrigin> = new Set(["cron", "one_shot"]);

/**
 * Opens a conversation, or returns the existing one with this externalId.
 * @param parent the conversation of the session whose subagent gets this one
 */
export async function createConversation(
  actor: Opener,
  draft: ConversationDraft,
  { parent }: { parent?: Pick<ConversationRow, "id" | "rootConversationId"> } = {},
): Promise<Opened> {
  takeConversation(actor.id, env().maxConversationsPerMinute);
  return db().transaction(async (tx) => {
    const agent = await chooseAgent(tx, actor, draft.agent);
    const [created] = await tx
      .insert(conversations)
      .values({
        workspaceId: actor.workspaceId,
        agentId: agent.id,
        channel: draft.channel,
        externalId: draft.externalId,
        origin: draft.origin,
        interactive: draft.interactive ?? !unattended.has(draft.origin),
        metadata: draft.metadata,
        ...(parent ? { parentConversationId: parent.id, rootConversationId: parent.rootConversationId ?? parent.id } : {}),
        createdBy: toActorRef(actor),
      })
      .onConflictDoNothing({ target: [conversations.workspaceId, conversations.externalId] })
      .returning();
    if (created) {
      await record(tx, {
        workspaceId: actor.workspaceId,
        event: "conversation.created",
        actor: toActorRef(actor),
        subject: created.id,
        conversationId: created.id,
        data: {
          agent: agent.name,
          channel: created.channel,
          externalId: created.externalId,
          origin: created.origin,
          interactive: created.interactive,
        },
        requestId: actor.requestId,
      });
      return { conversation: presentConversation(created, agent, []), created: true };
    }
    return { conversation: await existing(tx, actor, draft.externalId ?? ""), created: false };
  });
}

async function existing(tx: Db, actor: Opener, externalId: string): Promise<Conversation> {
  const [row] = await tx
    .select({ conversation: conversations, agent: agents })
    .from(conversations)
    .innerJoin(agents, eq(conversations.agentId, agents.id))
    .where(and(eq(conversations.workspaceId, actor.workspaceId), eq(conversations.externalId, externalId)));
  if (!row || !maySee(actor, row.conversation)) {
    throw new AppError("conflict", `The externalId "${externalId}" belongs to a conversation of another agent. Choose another one.`);
  }
  return presentConversation(row.conversation, row.agent, await activatedTools(tx, row.conversation.id));
}

async function chooseAgent(tx: Db, actor: Opener, asked: string | undefined): Promise<AgentRow> {
  const wanted = asked
    ? or(eq(agents.name, asked), z.uuid().safeParse(asked).success ? eq(agents.id, asked) : undefined)
    : actor.agentId
      ? eq(agents.id, actor.agentId)
      : eq(agents.isDefault, true);
  const [agent] = await tx
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, actor.workspaceId), wanted));
  if (!agent)
    throw new AppError("not_found", asked ? `There is no agent "${asked}" in this workspace.` : "This workspace has no default agent.");
  if (!maySee(actor, { agentId: agent.id })) {
    throw new AppError("forbidden", `This API key is bound to another agent and cannot open a conversation for "${agent.name}".`);
  }
  return agent;
}
