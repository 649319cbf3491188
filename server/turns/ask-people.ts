import "server-only";
import { eq } from "drizzle-orm";
import { approvals } from "@/db/schema";
import { approvalExpiry, askApproval } from "@/server/approvals/ask-approval";
import { voidApproval } from "@/server/approvals/settle-approval";
import { systemActor } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { newId } from "@/server/platform/ids";
import { awaitApproval, suspend } from "./arrows/await-approval";
import { type LiveTurn, type StoredPart, snapshotOf } from "./live-turn";
import type { Barrier } from "./plan-segment";
import type { TurnRow } from "./present-turn";
import { saveTurn } from "./save-turn";
import type { TurnContext } from "./turn-context";

/**
 * Stops a turn at a call that a person has to decide: question, call and turn change in one transaction, and nothing of
 * the turn stays in memory.
 * @returns false when the barrier is gone (decided or cancelled meanwhile) and the turn should go on at once.
 */
export async function askPeople(context: TurnContext, live: LiveTurn, barrier: Barrier): Promise<boolean> {
  await live.saving;
  const restore = snapshotOf(live);
  try {
    return await db().transaction(async (tx) => {
      const { turn } = live;
      if (live.stored && !isAsStored(live.stored, await lockTurn(tx, turn.id))) return false;
      if (barrier.kind === "waiting") {
        const [approval] = await tx.select({ status: approvals.status }).from(approvals).where(eq(approvals.id, barrier.approvalId));
        if (approval?.status !== "pending") return false;
        // Taken up for an answer that was used already, or never came: the rows say all there is to say.
        if (live.stored?.status === "suspended" && live.unsaved.calls.size === 0) return true;
        suspend(live, barrier.approvalId);
        if (!(await saveTurn(live, tx))) throw new Error("a locked turn was not saved");
      } else {
        const { call, drift, voided } = barrier;
        const question = { id: newId(), ...(await approvalExpiry(tx, turn.workspaceId)) };
        if (voided) await voidApproval(tx, voided, systemActor, drift);
        awaitApproval(live, call, question);
        suspend(live, question.id);
        // New to the database, and submitted elsewhere under the same key: what was voided for it is not.
        if (!(await saveTurn(live, tx))) throw new NotSaved();
        await askApproval(tx, {
          ...question,
          workspaceId: turn.workspaceId,
          conversationId: turn.conversationId,
          turnId: turn.id,
          callId: call.row.id,
          agent: context.agent.name,
          requestedBy: turn.requestedBy,
          tool: call.registered,
          arguments: call.arguments,
          decision: call.decision,
          drift,
        });
      }
      await signalOnCommit(tx, { topic: "turn", turnId: turn.id });
      return true;
    });
  } catch (error) {
    restore();
    if (error instanceof NotSaved) return false;
    throw error;
  }
}

/** Undoes the transaction of a turn whose rows were not as expected. */
class NotSaved extends Error {}

function isAsStored(stored: StoredPart, now: TurnRow | undefined): boolean {
  return now?.version === stored.version && !now.cancelRequestedAt;
}
