import "server-only";
import { and, eq, or, type SQL } from "drizzle-orm";
import type { memoryScopes } from "@/contracts/memory";
import type { memoryEntries, memoryFacts, memoryFiles } from "@/db/schema";
import { type ConversationRow, readConversation } from "@/server/conversations/find-conversation";

export type MemoryScope = (typeof memoryScopes)[number];

/** The agent that remembers, and the owner for whom it does. */
export type Rememberer = { workspaceId: string; agentId: string; ownerKey: string };

/** The place of a memory. */
export type MemoryPlace = Rememberer & { scope: MemoryScope };

/**
 * Returns the owner of what a conversation teaches: the person who opened it, or the end user whom an API caller names in
 * `metadata.endUserId`. A delegated conversation has the owner of the first one; schedules have `system`.
 */
export async function ownerOf(conversation: ConversationRow): Promise<string> {
  const root =
    conversation.rootConversationId && conversation.rootConversationId !== conversation.id
      ? await readConversation(conversation.rootConversationId)
      : conversation;
  const { createdBy, metadata, origin } = root ?? conversation;
  if (origin === "cron" || createdBy.type === "system") return "system";
  const endUser = metadata.endUserId;
  if (createdBy.type !== "user" && typeof endUser === "string" && endUser.trim() !== "") return `api:${endUser.trim().slice(0, 150)}`;
  return `${createdBy.type === "api_key" ? "api" : createdBy.type}:${createdBy.id}`;
}

/** Shared memory has no owner. */
export const ownerColumn = (scope: MemoryScope, ownerKey: string): string => (scope === "PERSONAL" ? ownerKey : "");

/** The memory of an agent as one owner has it; null: of all owners, for people. */
export type MemoryView = Omit<Rememberer, "ownerKey"> & { ownerKey: string | null };

/** Condition for the rows that an agent may read for an owner. */
export function isVisible(
  table: typeof memoryFiles | typeof memoryEntries | typeof memoryFacts,
  { workspaceId, agentId, ownerKey }: MemoryView,
): SQL | undefined {
  return and(
    eq(table.workspaceId, workspaceId),
    or(
      eq(table.scope, "GLOBAL"),
      and(eq(table.agentId, agentId), eq(table.scope, "TEAM")),
      and(eq(table.agentId, agentId), eq(table.scope, "PERSONAL"), ownerKey === null ? undefined : eq(table.ownerKey, ownerKey)),
    ),
  );
}
