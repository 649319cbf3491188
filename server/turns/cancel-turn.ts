import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { Turn } from "@/contracts/turns";
import type { Db } from "@/db/client";
import { approvals, turns } from "@/db/schema";
import { settleApproval } from "@/server/approvals/settle-approval";
import { record } from "@/server/audit/record";
import { type Actor, type Holder, refOf } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { afterConflicts } from "@/server/platform/after-conflicts";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { cancelCalls } from "./arrows/cancel-calls";
import { storedTurn } from "./live-turn";
import { demandTurn, loadTurnIn, readTurn } from "./load-turn";
import { saveFinishedIn } from "./save-finished";
import { waitForTurn } from "./wait-for-turn";

/** How long the answer to a cancellation waits for running tools to stop, in seconds. */
const stopSeconds = 5;

/** Stops a turn: running tools get the abort signal, pending approvals are cancelled. A finished turn stays as it is. */
export async function cancelTurn(actor: Holder<"turns:write">, turnId: string, signal: AbortSignal): Promise<Turn> {
  await demandTurn(actor, turnId);
  await afterConflicts(() => db().transaction((tx) => requestCancel(tx, actor, turnId)));
  const turn = await readTurn(turnId);
  return turn.status === "running" ? waitForTurn(turnId, stopSeconds, signal) : turn;
}

/**
 * Cancels a turn inside the caller's transaction; the replica that runs it notices on commit.
 * @param endRunning ends the calls that run now here, because nobody will find the turn later.
 */
export async function requestCancel(tx: Db, actor: Actor, turnId: string, { endRunning = false } = {}): Promise<void> {
  const turn = await lockTurn(tx, turnId);
  if (!turn || turn.status === "completed" || turn.status === "cancelled" || (turn.cancelRequestedAt && !endRunning)) return;
  await tx
    .update(turns)
    .set({ cancelRequestedAt: new Date(), version: turn.version + 1 })
    .where(eq(turns.id, turnId));
  await record(tx, {
    workspaceId: turn.workspaceId,
    event: "turn.cancelled",
    actor: refOf(actor),
    subject: turnId,
    conversationId: turn.conversationId,
    turnId,
    requestId: actor.requestId,
  });
  const pending = await tx
    .select()
    .from(approvals)
    .where(and(eq(approvals.turnId, turnId), eq(approvals.status, "pending")));
  const end = { status: "cancelled", actor: refOf(actor), requestId: actor.requestId } as const;
  for (const approval of pending) await settleApproval(approval, end, tx);
  // Nobody works on a suspended turn, so it ends here; a running one is ended by the replica that runs it.
  if (turn.status === "suspended" || endRunning) await endHere(tx, turnId);
  await signalOnCommit(tx, { topic: "turn", turnId, cancel: true });
}

/** Ends what is left of a cancelled turn, whose lock the caller holds. */
async function endHere(tx: Db, turnId: string): Promise<void> {
  const loaded = await loadTurnIn(tx, turnId);
  if (!loaded) return;
  const live = storedTurn(loaded.turn, loaded.calls);
  await cancelCalls(live);
  if (!(await saveFinishedIn(tx, live))) throw new Error("a locked turn was not saved");
}

/** Statuses in which a turn can still be cancelled. */
export const openTurn = inArray(turns.status, ["running", "suspended"]);
