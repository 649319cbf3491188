import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { Turn } from "@/contracts/turns/turns";
import type { Db } from "@/db/client";
import { approvals, turns } from "@/db/schema";
import { settleApproval } from "@/server/approvals/settle-approval";
import { record } from "@/server/audit/record";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database/database";
import { retryOnConflict } from "@/server/platform/database/retry-on-conflict";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { loadCallFacts } from "./call-facts";
import { type CallFacts, storedTurn } from "./live-turn";
import { loadTurnIn, readTurn, requireTurn } from "./read/load-turn";
import { waitForTurn } from "./read/wait-for-turn";
import { saveFinishedIn } from "./save/save-finished";
import { cancelCalls } from "./transitions/cancel-calls";

/** Seconds that the response to a cancellation waits for running tools to stop. */
const stopSeconds = 5;

/** Stops a turn: running tools get the abort signal, pending approvals are cancelled. A finished turn stays as it is. */
export async function cancelTurn(actor: Authorized<"turns:write">, turnId: string, signal: AbortSignal): Promise<Turn> {
  await requireTurn(actor, turnId);
  const { conversationId } = await readTurn(turnId);
  // Loaded before the transaction, because code that holds a connection must not wait for a second one.
  const facts = await loadCallFacts({ workspaceId: actor.workspaceId, conversationId });
  await retryOnConflict(() => db().transaction((tx) => requestCancel(tx, actor, turnId, { facts })));
  const turn = await readTurn(turnId);
  return turn.status === "running" ? waitForTurn(turnId, stopSeconds, signal) : turn;
}

type CancelOptions = {
  /** Ends running calls in this transaction, because the turn will not exist later. */
  endRunning?: boolean;
  /** For the audit rows of the calls that end here. */
  facts?: CallFacts | null;
};

/**
 * Cancels a turn inside the caller's transaction; the replica that runs it notices on commit.
 */
export async function requestCancel(
  tx: Db,
  actor: Actor,
  turnId: string,
  { endRunning = false, facts = null }: CancelOptions = {},
): Promise<void> {
  const turn = await lockTurn(tx, turnId);
  if (!turn || turn.status === "completed" || turn.status === "cancelled" || (turn.cancelRequestedAt && !endRunning)) return;
  await tx
    .update(turns)
    .set({ cancelRequestedAt: sharedNow(), version: turn.version + 1 })
    .where(eq(turns.id, turnId));
  await record(tx, {
    workspaceId: turn.workspaceId,
    event: "turn.cancelled",
    actor: toActorRef(actor),
    subject: turnId,
    conversationId: turn.conversationId,
    turnId,
    requestId: actor.requestId,
  });
  const pending = await tx
    .select()
    .from(approvals)
    .where(and(eq(approvals.turnId, turnId), eq(approvals.status, "pending")));
  const end = { status: "cancelled", actor: toActorRef(actor), requestId: actor.requestId } as const;
  for (const approval of pending) await settleApproval(approval, end, tx);
  // No replica runs a suspended turn, so the turn ends here; the owner of a running turn ends it.
  if (turn.status === "suspended" || endRunning) await endHere(tx, turnId, facts);
  await signalOnCommit(tx, { topic: "turn", turnId, cancel: true });
}

/** Ends the open calls and the turn of a cancellation; the caller holds the turn's lock. */
async function endHere(tx: Db, turnId: string, facts: CallFacts | null): Promise<void> {
  const loaded = await loadTurnIn(tx, turnId);
  if (!loaded) return;
  const live = { ...storedTurn(loaded.turn, loaded.calls), facts };
  await cancelCalls(live);
  if (!(await saveFinishedIn(tx, live))) throw new Error("a locked turn was not saved");
}

/** Condition on turns that can still be cancelled. */
export const openTurn = inArray(turns.status, ["running", "suspended"]);
