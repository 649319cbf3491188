import "server-only";
import { and, desc, eq, lt, type SQL } from "drizzle-orm";
import type { FileChange } from "@/contracts/turns/file-changes";
import { fileChanges, toolCalls } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { presentChange } from "./present-change";

type Asked = { conversationId: string; changeId?: string; path?: string; turnId?: string; before?: string; limit: number };

/** Returns changes of a conversation with the calls that made them, newest first. */
export async function findChanges({ conversationId, changeId, path, turnId, before, limit }: Asked) {
  const wanted: (SQL | undefined)[] = [
    eq(fileChanges.conversationId, conversationId),
    changeId ? eq(fileChanges.id, changeId) : undefined,
    path ? eq(fileChanges.path, path) : undefined,
    turnId ? eq(toolCalls.turnId, turnId) : undefined,
    before ? lt(fileChanges.id, before) : undefined,
  ];
  const found = await db()
    .select({ row: fileChanges, turnId: toolCalls.turnId, tool: toolCalls.name })
    .from(fileChanges)
    .leftJoin(toolCalls, eq(fileChanges.callId, toolCalls.id))
    .where(and(...wanted))
    .orderBy(desc(fileChanges.id))
    .limit(limit);
  return found.map(({ row, ...made }) => ({ row, change: presentChange({ ...row, conversationId }, made) }));
}

export type FoundChange = Awaited<ReturnType<typeof findChanges>>[number];

/** Returns one change of a conversation. @throws AppError `not_found`. */
export async function findChange(conversationId: string, changeId: string): Promise<FoundChange> {
  const [found] = await findChanges({ conversationId, changeId, limit: 1 });
  if (!found)
    throw new AppError("not_found", "This change is not recorded, or is older than 30 days. List the changes of the conversation.");
  return found;
}

/** Lists the changes of a conversation that the actor may see, newest first. */
export async function listChanges(
  actor: Authorized<"turns:read">,
  conversationId: string,
  {
    limit = 50,
    cursor,
    ...filter
  }: { turnId?: string | undefined; path?: string | undefined; limit?: number; cursor?: string | undefined },
): Promise<{ items: FileChange[]; nextCursor: string | null }> {
  await findConversation(actor, conversationId);
  const found = await findChanges({
    ...{ conversationId, limit: limit + 1 },
    ...(filter.turnId ? { turnId: filter.turnId } : {}),
    ...(filter.path ? { path: filter.path } : {}),
    ...(cursor ? { before: decodeCursor(cursor, IdCursor)[0] } : {}),
  });
  const { rows, nextCursor } = toPage(found, limit, ({ row }) => [row.id]);
  return { items: rows.map(({ change }) => change), nextCursor };
}
