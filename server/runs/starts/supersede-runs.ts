import "server-only";
import { and, eq, gte, ne } from "drizzle-orm";
import type { RunDraft } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { runMessages, runs } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { openContent } from "../message-content";
import { inHistory, type RunRow } from "../run-row";

/**
 * Returns the message that a person sends again: the original when its text is unchanged, because people see and send secrets masked.
 */
export async function originalMessage(
  conversationId: string,
  { message, replaces }: Pick<RunDraft, "message" | "replaces">,
): Promise<string> {
  if (!replaces) return message;
  const [row] = await db()
    .select({ message: runMessages })
    .from(runMessages)
    .innerJoin(runs, eq(runs.id, runMessages.runId))
    .where(and(eq(runs.conversationId, conversationId), eq(runs.id, replaces), eq(runMessages.position, 0)));
  return row?.message.content.text === message ? openContent(row.message).content.text : message;
}

/**
 * Takes a run and the later ones of its conversation out of the history that the model reads, in the transaction that inserts
 * their replacement. Their rows stay.
 * @throws AppError `invalid` for a run of another conversation, or one that was replaced already
 */
export async function supersedeRuns(tx: Db, actor: Actor, by: RunRow, firstRunId: string): Promise<void> {
  const replaced = await tx
    .update(runs)
    .set({ supersededBy: by.id })
    .where(and(eq(runs.conversationId, by.conversationId), gte(runs.id, firstRunId), ne(runs.id, by.id), inHistory))
    .returning({ id: runs.id });
  if (!replaced.some(({ id }) => id === firstRunId)) {
    throw new AppError("invalid", "The run to replace is not in this conversation, or was replaced already. Read the conversation again.", {
      errors: [{ path: "replaces", message: "is no run in the history of this conversation" }],
    });
  }
  await record(tx, {
    workspaceId: by.workspaceId,
    event: "run.superseded",
    actor: toActorRef(actor),
    subject: firstRunId,
    conversationId: by.conversationId,
    data: { by: by.id, runs: replaced.map(({ id }) => id).toSorted() },
    requestId: actor.requestId,
  });
}
