import "server-only";
import { eq } from "drizzle-orm";
import { approvals } from "@/db/schema";
import { approvalExpiry, askApproval } from "@/server/approvals/ask-approval";
import { settleApproval } from "@/server/approvals/settle-approval";
import { systemActor } from "@/server/auth/actor";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { lockTurn } from "@/server/conversations/turn-events";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { newId } from "@/server/platform/ids";
import { contentsOf } from "../contents/call-contents";
import { type LiveTurn, type StoredPart, takeSnapshot } from "../live-turn";
import type { TurnRow } from "../present-turn";
import { saveTurn } from "../save-turn";
import { shapeOf } from "../shape-of";
import type { Barrier } from "../step-data";
import { awaitApproval, suspend } from "../transitions/await-approval";
import type { TurnContext } from "../turn-context";

/**
 * Suspends a turn at a call that a person has to decide. Approval, call and turn change in one transaction, and
 * nothing of the turn stays in memory.
 * @returns false when the barrier is gone (decided or cancelled meanwhile) and the turn should go on at once.
 */
export async function gateTurn(context: TurnContext, live: LiveTurn, barrier: Barrier): Promise<boolean> {
  await live.saving;
  // Hashed here and not at the decision, because the calls before this one have changed files meanwhile.
  const contents = barrier.kind === "ask" ? await contentsOf(context, barrier.call.registered, barrier.call.arguments) : null;
  const restore = takeSnapshot(live);
  try {
    const isAsked = await db().transaction(async (tx) => {
      const { turn } = live;
      if (live.stored && !isAsStored(live.stored, await lockTurn(tx, turn.id))) return false;
      if (barrier.kind === "waiting") {
        const [approval] = await tx.select({ status: approvals.status }).from(approvals).where(eq(approvals.id, barrier.approvalId));
        if (approval?.status !== "pending") return false;
        // The turn was resumed for an answer that was already used or never came, so its rows are right and nothing is written.
        if (live.stored?.status === "suspended" && live.unsaved.calls.size === 0) return true;
        suspend(live, barrier.approvalId);
        if (!(await saveTurn(live, tx))) throw new Error("a locked turn was not saved");
      } else {
        const { call, drift, voided } = barrier;
        const question = { id: newId(), ...(await approvalExpiry(tx, turn.workspaceId)) };
        if (voided) await settleApproval(voided, { status: "void", actor: systemActor, drift }, tx);
        awaitApproval(live, call, question);
        suspend(live, question.id);
        // Only a new turn fails here, when its key was stored elsewhere. The throw rolls the voiding back.
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
          shape: shapeOf(context, call.registered, call.arguments),
          drift,
          contents,
        });
      }
      await signalOnCommit(tx, { topic: "turn", turnId: turn.id });
      return true;
    });
    conversationChanged(live.turn.conversationId);
    return isAsked;
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
