import "server-only";
import type { Db } from "@/db/client";
import { readApproval } from "@/server/approvals/read-approval";
import { settleApproval } from "@/server/approvals/settle-approval";
import type { ApprovalRow } from "@/server/approvals/settlement";
import { voidPendingApprovals } from "@/server/approvals/void-pending-approvals";
import { systemActor } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database/database";
import { throughOutages } from "@/server/platform/database/through-outages";
import { log } from "@/server/platform/log";
import { shutdownSignal } from "@/server/platform/shutdown";
import { onSignal } from "@/server/platform/signals/bus";
import { sentences } from "../outcome";

/** Interval of reads without a signal: the longest delay that a lost signal causes. */
const pollIntervalMs = 2_000;

/**
 * Waits until an approval that a running tool asked for is no longer pending, decided on any replica and through
 * database outages. When the wait fails, the question is taken back, because nobody would use the answer.
 * @throws when the call is stopped
 */
export async function awaitApprovalSettled(approvalId: string, stopped: AbortSignal): Promise<ApprovalRow> {
  try {
    return await waitFor(approvalId, stopped);
  } catch (error) {
    // On shutdown the question stays pending, because the tool runs again on another replica and waits for the same answer.
    if (stopped.aborted || !shutdownSignal().aborted) {
      await throughOutages(() => takeBack(approvalId, stopped.aborted)).catch((failure) => {
        log().warn({ err: failure, approvalId }, "an open question of an ended call was not taken back; it expires");
      });
    }
    throw error;
  }
}

/** Cancels the open question of a stopped call; voids the question of a call that ended otherwise. */
async function takeBack(approvalId: string, isStopped: boolean): Promise<void> {
  const open = await readApproval(approvalId);
  if (open?.status !== "pending") return;
  if (isStopped) await settleApproval(open, { status: "cancelled", actor: systemActor });
  else await db().transaction((tx) => voidLocked(tx, open));
}

async function voidLocked(tx: Db, { turnId, callId }: ApprovalRow): Promise<void> {
  await lockTurn(tx, turnId);
  await voidPendingApprovals(tx, [callId], { actor: systemActor, why: sentences.endedUnanswered });
}

async function waitFor(approvalId: string, stopped: AbortSignal): Promise<ApprovalRow> {
  let wake = () => {};
  const off = onSignal("approval", ({ id }) => id === approvalId && wake());
  const stop = () => wake();
  stopped.addEventListener("abort", stop);
  try {
    for (;;) {
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      stopped.throwIfAborted();
      const row = await throughOutages(() => readApproval(approvalId), stopped);
      if (!row) throw new Error("the question was removed with its conversation");
      if (row.status !== "pending") return row;
      const timer = setTimeout(() => wake(), pollIntervalMs);
      await news;
      clearTimeout(timer);
    }
  } finally {
    off();
    stopped.removeEventListener("abort", stop);
  }
}
