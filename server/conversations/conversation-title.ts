import "server-only";
import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { conversations, runMessages, runs } from "@/db/schema";
import { db } from "@/server/platform/database/database";

const first = alias(runs, "first_runs");

/** The title that a person chose. `metadata.title` is also what a runtime may set and what the list of turns shows. */
export const chosenTitle = sql<string | null>`nullif(btrim(${conversations.metadata} ->> 'title'), '')`;

/** The beginning of a run's request. Its secrets are masked. */
export const requestWords = sql<string>`left(${runMessages.content} ->> 'text', 400)`;

/** The beginning of the first message that was not replaced. */
export const firstWords = () =>
  db()
    .select({ text: requestWords.as("text") })
    .from(first)
    .innerJoin(runMessages, and(eq(runMessages.runId, first.id), eq(runMessages.position, 0)))
    .where(and(eq(first.conversationId, conversations.id), sql`${first.supersededBy} is null`))
    .orderBy(asc(first.id))
    .limit(1);

const maxTitleChars = 80;

/** Returns a title for a message: its first line with words, cut at the end of a word. */
export function titleOf(message: string): string {
  const line =
    message
      .split("\n")
      .map((part) => part.trim())
      .find((part) => part !== "") ?? "";
  const words = line.replace(/^[#>*\-\s]+/, "").replace(/\s+/g, " ") || "Untitled";
  if (words.length <= maxTitleChars) return words;
  // Half of a surrogate pair at the cut goes too.
  const cut = words.slice(0, maxTitleChars).replace(/[\ud800-\udbff]$/, "");
  const end = cut.lastIndexOf(" ");
  return `${(end > maxTitleChars / 2 ? cut.slice(0, end) : cut).trimEnd()}…`;
}
