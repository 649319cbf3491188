import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import { approvals, toolCalls, turns } from "@/db/schema";
import { askApproval } from "@/server/approvals/ask-approval";
import { voidApproval } from "@/server/approvals/settle-approval";
import { systemActor } from "@/server/auth/actor";
import { appendTurnEvents, lockTurn } from "@/server/conversations/turn-events";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import type { Barrier } from "./plan-segment";
import type { TurnContext } from "./turn-context";

/**
 * Stops a turn at a call that a person has to decide: question, call and turn change in one transaction, and nothing of
 * the turn stays in memory.
 * @returns false when the barrier is gone (decided or cancelled meanwhile) and the turn should go on at once.
 */
export async function suspendTurn(context: TurnContext, barrier: Barrier): Promise<boolean> {
  const { turn, conversation } = context;
  return db().transaction(async (tx) => {
    const locked = await lockTurn(tx, turn.id);
    if (locked?.status !== "running" || locked.claimedBy !== bootId()) return true;
    if (locked.cancelRequestedAt) return false;
    let approvalId: string;
    if (barrier.kind === "waiting") {
      const [approval] = await tx.select({ status: approvals.status }).from(approvals).where(eq(approvals.id, barrier.approvalId));
      if (approval?.status !== "pending") return false;
      approvalId = barrier.approvalId;
    } else {
      const { row, registered, arguments: args, decision } = barrier.call;
      if (barrier.voided) await voidApproval(tx, barrier.voided, systemActor, barrier.drift);
      approvalId = await askApproval(tx, {
        workspaceId: turn.workspaceId,
        conversationId: turn.conversationId,
        turnId: turn.id,
        callId: row.id,
        agent: conversation.agent.name,
        requestedBy: turn.requestedBy,
        tool: registered,
        arguments: args,
        decision,
        drift: barrier.drift,
      });
      await tx
        .update(toolCalls)
        .set({ status: "awaiting_approval", name: registered.name, arguments: args, rawArguments: null, decision, approvalId })
        .where(and(eq(toolCalls.id, row.id), inArray(toolCalls.status, ["pending", "awaiting_approval"])));
    }
    await tx.update(turns).set({ status: "suspended", claimedBy: null }).where(eq(turns.id, turn.id));
    await appendTurnEvents(tx, turn.id, [{ event: "turn.suspended", data: { turnId: turn.id, approvalId } }]);
    await signalOnCommit(tx, { topic: "turn", turnId: turn.id });
    return true;
  });
}
