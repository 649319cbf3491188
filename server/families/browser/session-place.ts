import "server-only";
import { and, eq } from "drizzle-orm";
import { browserSessions } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { bootId } from "@/server/platform/ids";
import { isReplicaGone } from "@/server/replicas/presence";

const maxTries = 5;
const ofConversation = (conversationId: string) => eq(browserSessions.conversationId, conversationId);

/**
 * Claims the browser of a conversation for this replica, unless a living replica has it. The row decides, so a conversation
 * never has two browsers.
 * @returns the replica that has the browser; null when that is this one
 */
export async function claimSession(conversationId: string): Promise<string | null> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const claimed = await db()
      .insert(browserSessions)
      .values({ conversationId, owner: bootId() })
      .onConflictDoNothing()
      .returning({ owner: browserSessions.owner });
    if (claimed.length > 0) return null;
    const owner = await sessionOwner(conversationId);
    if (owner === null) continue;
    if (owner === bootId()) return null;
    if (!(await isReplicaGone(owner))) return owner;
    await releaseSession(conversationId, owner);
  }
  throw new AppError("unavailable", "The browser of this conversation is moving between replicas. Send the call again.");
}

/** Returns the boot id of the replica that has the browser of a conversation; null when none has. */
export async function sessionOwner(conversationId: string): Promise<string | null> {
  const [row] = await db().select({ owner: browserSessions.owner }).from(browserSessions).where(ofConversation(conversationId));
  return row?.owner ?? null;
}

/** Gives up the claim of a replica. */
export async function releaseSession(conversationId: string, owner: string = bootId()): Promise<void> {
  await db()
    .delete(browserSessions)
    .where(and(ofConversation(conversationId), eq(browserSessions.owner, owner)));
}

/** Returns the conversations whose browser this replica has claimed. A deleted conversation is not among them. */
export async function claimedConversations(): Promise<Set<string>> {
  const rows = await db().select({ id: browserSessions.conversationId }).from(browserSessions).where(eq(browserSessions.owner, bootId()));
  return new Set(rows.map(({ id }) => id));
}
