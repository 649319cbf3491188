import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Run } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { conversations, runMessages, runs } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { retryOnConflict } from "@/server/platform/database/retry-on-conflict";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { loadCallFacts } from "@/server/turns/call-facts";
import { requestCancel } from "@/server/turns/cancel-turn";
import type { CallFacts } from "@/server/turns/live-turn";
import { loadTurnIn } from "@/server/turns/read/load-turn";
import { presentTurn } from "@/server/turns/read/present-turn";
import { openContent } from "./message-content";
import { answerSoFar, closingResults, openCalls } from "./open-calls";
import { readRun, requireRun } from "./read/load-run";
import { waitForRun } from "./read/wait-for-run";
import { isEnded, openRun } from "./run-row";
import { recordEnd, toEndValues, toRow } from "./save-run";
import { tellRun } from "./tell-run";
import { asHandrail, toResults } from "./turn-results";

/** Seconds that the response to a cancellation waits for the model and the tools to stop. */
const stopSeconds = 5;

/** Stops a run: the request to the model is cut off, the turn is cancelled. A run that has ended stays as it is. */
export async function cancelRun(actor: Authorized<"turns:write">, runId: string, signal: AbortSignal): Promise<Run> {
  await requireRun(actor, runId);
  await cancelOpenRun(actor, runId);
  const run = await readRun(runId);
  return isEnded(run) ? run : waitForRun(runId, stopSeconds, signal);
}

/** Cancels a run and the runs of its children, without waiting for their end. A run that has ended stays as it is. */
export async function cancelOpenRun(by: ActorRef, runId: string): Promise<void> {
  const [run] = await db().select().from(runs).where(eq(runs.id, runId));
  if (!run || isEnded(run)) return;
  // Loaded before the transaction, because code that holds a connection must not wait for a second one.
  const facts = await loadCallFacts(run);
  const actor = { ...asHandrail(run), ...toActorRef(by), requestId: "requestId" in by ? (by as Actor).requestId : run.id };
  await retryOnConflict(() => db().transaction((tx) => requestRunCancel(tx, actor, runId, facts)));
  tellRun(runId);
  const children = await db()
    .select({ id: runs.id })
    .from(runs)
    .innerJoin(conversations, eq(conversations.id, runs.conversationId))
    .where(and(eq(conversations.parentConversationId, run.conversationId), openRun));
  for (const { id } of children) await cancelOpenRun(by, id);
}

/** Cancels a run in the caller's transaction. Its owner ends it on commit; without an owner it ends here. */
async function requestRunCancel(tx: Db, actor: Actor, runId: string, facts: CallFacts | null): Promise<void> {
  const [run] = await tx
    .select()
    .from(runs)
    .where(and(eq(runs.id, runId), openRun))
    .for("update");
  if (!run || run.cancelRequestedAt) return;
  const cancelRequestedAt = sql`now()`;
  await record(tx, {
    workspaceId: run.workspaceId,
    event: "run.cancelled",
    actor: toActorRef(actor),
    subject: runId,
    conversationId: run.conversationId,
    requestId: actor.requestId,
  });
  if (run.status === "running") {
    await tx.update(runs).set({ cancelRequestedAt }).where(eq(runs.id, runId));
    return signalOnCommit(tx, { topic: "run", runId, cancel: true });
  }
  if (run.status === "waiting" && run.turnId) await requestCancel(tx, actor, run.turnId, { facts });
  const messages = (await tx.select().from(runMessages).where(eq(runMessages.runId, runId)).orderBy(runMessages.position)).map(openContent);
  // Calls before the one that waited have run, so their results are kept.
  const turn = run.turnId && openCalls(messages).length > 0 ? await loadTurnIn(tx, run.turnId) : undefined;
  const results = turn ? toResults(presentTurn(turn.turn, turn.calls)) : closingResults(messages);
  const added = results.map((message, index) => toRow(runId, messages.length + index, message));
  if (added.length > 0) await tx.insert(runMessages).values(added);
  const answer = answerSoFar(messages);
  const end = { status: "cancelled", answer } as const;
  await tx
    .update(runs)
    .set({
      ...toEndValues(end),
      cancelRequestedAt,
      waitingSince: null,
      messageCount: messages.length + added.length,
      version: run.version + 1,
      updatedAt: sql`now()`,
    })
    .where(eq(runs.id, runId));
  await recordEnd(tx, run, end);
}
