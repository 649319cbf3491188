import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { Decision } from "@/contracts/decision";
import { approvals } from "@/db/schema";
import { approvalExpiry, askApproval } from "@/server/approvals/ask-approval";
import { settleApproval } from "@/server/approvals/settle-approval";
import { maskedArguments } from "@/server/audit/kept-arguments";
import { systemActor } from "@/server/auth/actor";
import { onSignal } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { newId } from "@/server/platform/ids";
import { storableText } from "@/server/platform/storable";
import type { GateStep } from "@/server/tools/define-tool";
import { type LiveTurn, note } from "./live-turn";
import type { ReadyCall } from "./plan-segment";
import type { TurnContext } from "./turn-context";

type Gate = { live: LiveTurn; context: TurnContext; call: ReadyCall; step: GateStep; save: () => Promise<void>; stopped: AbortSignal };

/** What a lost signal costs at the most. */
const lookMs = 2_000;
const maxWords = 4_000;

/**
 * Puts a gate of a running tool to the people who decide approvals, and waits for their answer. The same gate is asked
 * once, however often the tool comes to it. Nobody to ask, no answer in time, or a stopped call: it does not pass.
 * @returns `{ approved, comment }` as JSON
 */
export async function passGate(gate: Gate): Promise<string> {
  if (!gate.context.conversation.interactive) return answer(false, "Nobody can be asked in this conversation.");
  const approvalId = (await askedBefore(gate)) ?? (await ask(gate));
  try {
    const { status, comment } = await settled(approvalId, gate.stopped);
    return answer(status === "approved", comment);
  } catch (error) {
    // Whoever waited for the answer is gone, so there is nothing to approve any more.
    const [open] = await db().select().from(approvals).where(eq(approvals.id, approvalId));
    if (open?.status === "pending") await settleApproval(open, { status: "cancelled", actor: systemActor });
    throw error;
  }
}

const answer = (approved: boolean, comment: string) => JSON.stringify({ approved, comment });

async function askedBefore({ call, step }: Gate): Promise<string | null> {
  // As it is kept with the question.
  const { gate } = maskedArguments({ gate: storableText(step.approve.gate) });
  const [known] = await db()
    .select({ id: approvals.id })
    .from(approvals)
    .where(and(eq(approvals.callId, call.row.id), sql`${approvals.arguments}->>'gate' = ${String(gate)}`));
  return known?.id ?? null;
}

async function ask({ live, context, call, step, save }: Gate): Promise<string> {
  const { turn } = live;
  const gate = storableText(step.approve.gate);
  const question = storableText(step.approve.question).slice(0, maxWords);
  const options = step.approve.options.map((option) => storableText(option).slice(0, maxWords));
  const id = newId();
  const decision: Decision = {
    verdict: "require_approval",
    reason: `The secure pipeline asks: ${question}`,
    ruleId: null,
    ruleDigest: null,
    findings: [],
    trace: [],
    policyVersion: call.decision.policyVersion,
  };
  // The turn is on record before anybody is asked about it.
  await save();
  const expiry = await approvalExpiry(db(), turn.workspaceId);
  const expiresAt = new Date(Math.min(expiry.expiresAt.getTime(), step.expiresAt));
  await db().transaction((tx) =>
    askApproval(tx, {
      id,
      requestedAt: expiry.requestedAt,
      expiresAt,
      workspaceId: turn.workspaceId,
      conversationId: turn.conversationId,
      turnId: turn.id,
      callId: call.row.id,
      agent: context.agent.name,
      requestedBy: turn.requestedBy,
      tool: call.registered,
      arguments: { gate, question, options, ...call.arguments },
      decision,
      drift: [],
    }),
  );
  note(live, "approval.requested", {
    approvalId: id,
    callId: call.row.id,
    tool: call.registered.name,
    expiresAt: expiresAt.toISOString(),
  });
  await save();
  return id;
}

/** Waits until an approval is not pending any more, wherever that happened. @throws when the call is stopped */
async function settled(approvalId: string, stopped: AbortSignal): Promise<{ status: string; comment: string }> {
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
      const [row] = await db()
        .select({ status: approvals.status, comment: approvals.comment })
        .from(approvals)
        .where(eq(approvals.id, approvalId));
      if (!row) throw new Error("the question was removed with its conversation");
      if (row.status !== "pending") return row;
      const timer = setTimeout(() => wake(), lookMs);
      await news;
      clearTimeout(timer);
    }
  } finally {
    off();
    stopped.removeEventListener("abort", stop);
  }
}
