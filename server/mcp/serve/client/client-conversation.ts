import "server-only";
import { and, eq } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { conversations } from "@/db/schema";
import { requirePermission } from "@/server/auth/actor";
import { createConversation } from "@/server/conversations/create-conversation";
import { findConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import type { McpClient } from "./mcp-client";

const handleForm = /^[A-Za-z0-9._:-]{1,100}$/;

/** Checks the header `Handrail-Conversation`. @throws AppError `invalid` */
export function readHandle(given: string | null): string | null {
  if (given === null || handleForm.test(given)) return given;
  throw new AppError("invalid", "Handrail-Conversation takes 1 to 100 letters, digits, dots, colons, hyphens and underscores.");
}

/** Ids of conversations by external id, so that a call does not look for its conversation each time. */
const known = () => processWide("mcp.conversations", () => new LRUCache<string, string>({ max: 10_000 }));

/**
 * Returns the client's conversation, which the first call creates: the one named by `Handrail-Conversation` (an id, or a
 * name of the client's own), else the session's, else one for all requests of this key.
 */
export async function openClientConversation(client: McpClient): Promise<string> {
  const found = await findClientConversation(client);
  if (found !== null) return found;
  const externalId = externalIdOf(client);
  const { conversation } = await createConversation(requirePermission(client.actor, "turns:write"), {
    externalId,
    origin: "mcp",
    metadata: { title: client.name },
  });
  known().set(keyOf(client, externalId), conversation.id);
  for (const listener of opened()) listener(conversation.id);
  return conversation.id;
}

/** Returns the client's conversation; null before its first call. @throws AppError `not_found` for an unknown id in the header. */
export async function findClientConversation(client: McpClient): Promise<string | null> {
  const asked = z.uuid().safeParse(client.handle);
  if (asked.success) return (await findConversation(client.actor, asked.data)).id;
  const externalId = externalIdOf(client);
  const key = keyOf(client, externalId);
  const id = known().get(key) ?? (await readId(client, externalId));
  if (id === null) return null;
  try {
    await findConversation(client.actor, id);
    known().set(key, id);
    return id;
  } catch (error) {
    known().delete(key);
    if (isAppError(error) && error.code === "not_found") return null;
    throw error;
  }
}

const keyOf = ({ actor }: McpClient, externalId: string) => `${actor.workspaceId} ${externalId}`;

function externalIdOf({ actor, session, handle }: McpClient): string {
  if (handle !== null) return `mcp:${actor.id}:${handle}`;
  return session ? `mcp:session:${session.id}` : `mcp:${actor.id}`;
}

async function readId({ actor }: McpClient, externalId: string): Promise<string | null> {
  const [row] = await db()
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.workspaceId, actor.workspaceId), eq(conversations.externalId, externalId)));
  return row?.id ?? null;
}

/** Listeners to conversations that this process opened for clients. */
const opened = () => processWide("mcp.opened", () => new Set<(conversationId: string) => void>());

/** Calls back for each conversation that this process opens for a client. */
export function onConversationOpened(listener: (conversationId: string) => void): () => void {
  opened().add(listener);
  return () => opened().delete(listener);
}
