import "server-only";
import { and, desc, eq, inArray } from "drizzle-orm";
import { runMessages, runs } from "@/db/schema";
import { db } from "@/server/platform/database/database";

/** Messages of the parent's conversation that a child may inherit, and the characters of each. */
const maxMessages = 10;
const maxChars = 1_000;

/**
 * Returns a task with the last messages of the conversation that hands it on, secrets masked. A conversation without runs
 * has no messages here, because its agent runtime keeps them.
 */
export async function withParentContext(conversationId: string, task: string): Promise<string> {
  const rows = await db()
    .select({ role: runMessages.role, content: runMessages.content })
    .from(runMessages)
    .innerJoin(runs, eq(runs.id, runMessages.runId))
    .where(and(eq(runs.conversationId, conversationId), inArray(runMessages.role, ["user", "assistant"])))
    .orderBy(desc(runs.id), desc(runMessages.position))
    .limit(maxMessages * 3);
  const spoken = rows.filter(({ content }) => content.text.trim() !== "").slice(0, maxMessages);
  if (spoken.length === 0) return task;
  const lines = spoken.reverse().map(({ role, content }) => `[${role}] ${content.text.slice(0, maxChars).toWellFormed()}`);
  return `The last messages of the conversation that hands you the task:\n\n${lines.join("\n\n")}\n\nYour task:\n${task}`;
}
