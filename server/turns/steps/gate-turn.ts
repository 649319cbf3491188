import "server-only";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { approvals, turns } from "@/db/schema";
import { approvalExpiry, askApproval } from "@/server/approvals/ask-approval";
import { settleApproval } from "@/server/approvals/settle-approval";
import { systemActor } from "@/server/auth/actor";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { lockTurn } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { contentsOf } from "../contents/call-contents";
import { shapeOf } from "../decide/shape-of";
import { type LiveTurn, type StoredPart, takeSnapshot } from "../live-turn";
import type { TurnRow } from "../read/present-turn";
import { saveTurn } from "../save/save-turn";
import type { AskedCall, Barrier } from "../step-data";
import { awaitApproval, suspend } from "../transitions/await-approval";
import type { TurnContext } from "../turn-context";

/**
 * Suspends a turn at a call that a person has to decide, and asks about the calls behind it that can be decided now.
 * Approvals, calls and turn change in one transaction, and nothing of the turn stays in memory.
 * @returns false when the barrier is gone (decided or cancelled meanwhile) and the turn should go on at once.
 */
export async function gateTurn(
  context: TurnContext,
  live: LiveTurn,
  { barrier, askedTogether }: { barrier: Barrier; askedTogether: readonly AskedCall[] },
): Promise<boolean> {
  await live.saving;
  const asked = [...(barrier.kind === "ask" ? [barrier] : []), ...askedTogether];
  // Hashed here and not at the decision, because the calls before the barrier have changed files meanwhile.
  const contents = await Promise.all(asked.map(({ call }) => contentsOf(context, call.registered, call.arguments)));
  const restore = takeSnapshot(live);
  try {
    const isAsked = await db().transaction(async (tx) => {
      const { turn } = live;
      if (live.stored && !isAsStored(live.stored, await lockTurn(tx, turn.id))) return false;
      if (barrier.kind === "waiting") {
        const [approval] = await tx.select({ status: approvals.status }).from(approvals).where(eq(approvals.id, barrier.approvalId));
        if (approval?.status !== "pending") return false;
        // The turn was resumed for the answer to a call behind the barrier, or for one that was already used or never came: its rows are right.
        if (live.stored?.status === "suspended" && live.unsaved.calls.size === 0 && asked.length === 0) {
          await forgetAnswer(tx, turn.id);
          return true;
        }
      }
      const expiry = asked.length > 0 ? await approvalExpiry(tx, turn.workspaceId, turn.machine?.approvalSeconds) : null;
      const questions = expiry
        ? asked.map(({ call, drift, voided }, place) => ({
            id: newId(),
            call,
            drift,
            voided,
            contents: contents[place] ?? null,
            ...expiry,
          }))
        : [];
      for (const { voided, drift } of questions) {
        if (voided) await settleApproval(voided, { status: "void", actor: systemActor, drift }, tx);
      }
      for (const question of questions) awaitApproval(live, question.call, question);
      suspend(live, barrier.kind === "waiting" ? barrier.approvalId : (questions[0]?.id ?? ""));
      // Only a new turn fails here, when its key was stored elsewhere. The throw rolls the voiding back.
      if (!(await saveTurn(live, tx))) throw new NotSaved();
      for (const [place, { call, voided: _, ...question }] of questions.entries()) {
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
          suspendsTurn: barrier.kind === "ask" && place === 0,
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

/** Takes the mark of an answer from a turn that goes on waiting, so that no replica resumes it for that answer again. */
async function forgetAnswer(tx: Db, turnId: string): Promise<void> {
  await tx.update(turns).set({ answeredAt: null }).where(eq(turns.id, turnId));
}

/** Undoes the transaction of a turn whose rows were not as expected. */
class NotSaved extends Error {}

function isAsStored(stored: StoredPart, now: TurnRow | undefined): boolean {
  return now?.version === stored.version && !now.cancelRequestedAt;
}
