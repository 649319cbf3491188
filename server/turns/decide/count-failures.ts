import "server-only";
import { eq } from "drizzle-orm";
import { conversations, type FailureStreaks } from "@/db/schema";
import { type ConversationRow, conversationChanged } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { log } from "@/server/platform/log";
import type { Outcome } from "../outcome";
import { type Attempt, listLoopWarnings, withFailure, withoutFailure } from "./loop-guard";

/** Forgets all failures, because a person who says "try again" may know that the reason is gone. */
export async function forgetFailures(conversation: ConversationRow): Promise<ConversationRow> {
  if (!conversation.failures) return conversation;
  await db().update(conversations).set({ failures: null }).where(eq(conversations.id, conversation.id));
  conversationChanged(conversation.id);
  return { ...conversation, failures: null };
}

/**
 * Counts the end of a call, and adds a warning to the result when the model repeats failing calls. Queries nothing
 * while calls succeed and there are no earlier failures.
 */
export async function countFailures(conversation: ConversationRow, attempt: Attempt, outcome: Outcome): Promise<Outcome> {
  // A command that ran and failed, such as a test (`isAnswer`), is repeated after each change, which is no loop.
  const isFailure = (outcome.status === "failed" && !outcome.isAnswer) || outcome.status === "timed_out";
  if (outcome.status !== "succeeded" && !outcome.isAnswer && !isFailure) return outcome;
  if (!isFailure && !conversation.failures) return outcome;
  const counted = await counting(conversation.id, attempt, isFailure).catch((error) => {
    // A failure to count must not lose the outcome.
    log().warn({ err: error, conversationId: conversation.id }, "a failure was not counted");
    return null;
  });
  conversationChanged(conversation.id);
  if (!isFailure || !counted) return outcome;
  const warnings = listLoopWarnings(counted, attempt);
  if (warnings.length === 0) return outcome;
  const added = `\n\n${warnings.join("\n\n")}`;
  return { ...outcome, text: outcome.text + added, ...(outcome.sections ? { sections: [...outcome.sections, added] } : {}) };
}

/** Stores the end of a call in the failure streaks. @returns the new streaks; null when there are none */
async function counting(conversationId: string, attempt: Attempt, isFailure: boolean): Promise<FailureStreaks | null> {
  return db().transaction(async (tx) => {
    const [row] = await tx
      .select({ failures: conversations.failures })
      .from(conversations)
      .where(eq(conversations.id, conversationId))
      .for("no key update");
    if (!row) return null;
    const counted = isFailure ? withFailure(row.failures, attempt, sharedNowMs()) : withoutFailure(row.failures, attempt);
    await tx.update(conversations).set({ failures: counted }).where(eq(conversations.id, conversationId));
    return counted;
  });
}
