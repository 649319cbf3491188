import "server-only";
import type { AuditEventName } from "@/contracts/audit/audit";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { ConversationOrigin } from "@/contracts/conversations/conversations";
import type { Db } from "@/db/client";
import { conversations } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { type PublishedEvent, publishEvents } from "@/server/platform/extension-points/outbox";

type Kinship = Pick<
  typeof conversations.$inferInsert,
  "channel" | "place" | "parentConversationId" | "parentCallId" | "rootConversationId" | "delegators" | "allowedTools" | "folderOf"
>;

export type Trigger = {
  workspaceId: string;
  /** The agent that will work in the conversation; no name when it has just been removed. */
  agent: { id: string; name: string | null };
  origin: ConversationOrigin;
  /** Whether somebody sits before it: otherwise a call that would ask a person is denied at once. */
  interactive: boolean;
  metadata: JsonObject;
  /** Whose permissions its runs have. */
  createdBy: ActorRef;
  /** Opener in the audit. */
  by: ActorRef;
  requestId?: string | null;
  callId?: string | null;
  /** Columns of a conversation that another one opened. */
  kinship?: Kinship;
  /** Audit data of the conversation beside its origin. */
  noted: JsonObject;
  /** Event for the audit and for subscribers. */
  fired?: { event: AuditEventName & PublishedEvent["event"]; subject: string; about: JsonObject };
};

/**
 * Opens a conversation that no caller of the API opened: a schedule, a message, a workflow's step or another agent did. Beside
 * `createConversation` this is the only way by which anything starts one. Its run is started by `startRunFor`.
 * @returns the conversation's id
 */
export async function openTriggered(tx: Db, { agent, kinship = {}, noted, fired, ...of }: Trigger): Promise<string> {
  const { workspaceId, origin, interactive, metadata, requestId = null, callId = null } = of;
  const [conversation] = await tx
    .insert(conversations)
    .values({ workspaceId, agentId: agent.id, origin, interactive, metadata, createdBy: toActorRef(of.createdBy), ...kinship })
    .returning({ id: conversations.id });
  if (!conversation) throw new Error("The conversation was not inserted");
  const conversationId = conversation.id;
  const entry = { workspaceId, actor: toActorRef(of.by), conversationId, callId, agent: agent.name, requestId };
  const opened = { ...entry, event: "conversation.created" as const, subject: conversationId, data: { origin, interactive, ...noted } };
  if (!fired) {
    await record(tx, opened);
    return conversationId;
  }
  const { event, subject, about } = fired;
  await record(tx, opened, { ...entry, event, subject, data: about });
  await publishEvents(tx, [{ workspaceId, event, payload: { ...about, conversationId, agentId: agent.id, agent: agent.name } }]);
  return conversationId;
}
