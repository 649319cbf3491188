import "server-only";
import { and, eq, gte, ne } from "drizzle-orm";
import type { Db } from "@/db/client";
import { runs } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { inHistory, type RunRow } from "./run-row";

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
