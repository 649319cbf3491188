import "server-only";
import { isNull, lt, or, sql } from "drizzle-orm";
import { fileChanges } from "@/db/schema";
import { removeChanges } from "@/server/conversations/file-changes/record-changes";
import { db } from "@/server/platform/database/database";

/** Changes of one sweep; the next sweep takes the rest. */
const perSweep = 1_000;

/** Deletes changes that are older than 30 days or whose conversation is deleted, with their contents. */
export async function removeOldChanges(): Promise<void> {
  const old = await db()
    .select()
    .from(fileChanges)
    .where(or(isNull(fileChanges.conversationId), lt(fileChanges.createdAt, sql`now() - interval '30 days'`)))
    .limit(perSweep);
  await removeChanges(old);
}
