import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { type AskedQuestion, approvals } from "@/db/schema";
import { approvalExpiry, askApproval } from "@/server/approvals/ask-approval";
import type { ApprovalRow } from "@/server/approvals/settlement";
import { appendTurnEvents, lockTurn } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database/database";
import { throughOutages } from "@/server/platform/database/through-outages";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { signalOnCommit } from "@/server/platform/signals/bus";
import type { ReadyCall } from "../step-data";
import type { TurnContext } from "../turn-context";
import type { CallWait } from "../waits/call-wait";
import { awaitApprovalSettled } from "./await-approval-settled";

type Asking = {
  context: TurnContext;
  call: ReadyCall;
  question: Omit<AskedQuestion, "answer">;
  /** The question's `call.step` event for the journal; null when the journal already has it. */
  step: JsonObject | null;
  whileWaiting: CallWait;
  stopped: AbortSignal;
};

/**
 * Asks a question of a running tool and waits for its answer. The approval and the journal's step commit together, so
 * a tool that runs again after a crash finds both and nobody is asked twice.
 * @throws AppError for the model: `conflict` when somebody declined, `timed_out` when nobody answered in time, `unavailable`
 * when nobody can be asked
 */
export async function askQuestion(asking: Asking): Promise<string> {
  const { context, call, question, whileWaiting, stopped } = asking;
  if (!context.conversation.interactive)
    throw new AppError("unavailable", "Nobody can be asked in this conversation. Go on without the answer.");
  // Looks first, because `throughOutages` repeats this after a commit whose answer was lost, and nobody may be asked twice.
  const asked = async () => (await askedBefore(call.row.id, question.number))?.id ?? (await ask(asking));
  // The call's end does not end this: a question that is stored in the same moment has to be taken back.
  const approvalId = await throughOutages(asked);
  const { status, comment, question: settled } = await whileWaiting("answer", () => awaitApprovalSettled(approvalId, stopped));
  if (status === "answered" && settled?.answer != null) return settled.answer;
  if (status === "rejected") throw new AppError("conflict", `The person declined to answer${comment ? `: ${comment}` : "."}`);
  if (status === "expired")
    throw new AppError("timed_out", "Nobody answered the question in time. Go on without the answer, or ask again later.");
  throw new AppError("unavailable", "The question was taken back before anybody answered.");
}

/** Finds a question of a call by its number. */
export async function askedBefore(callId: string, number: number): Promise<ApprovalRow | undefined> {
  const [known] = await db()
    .select()
    .from(approvals)
    .where(and(eq(approvals.callId, callId), eq(approvals.kind, "question"), sql`(${approvals.question} ->> 'number')::int = ${number}`));
  return known;
}

async function ask({ context, call, question, step, stopped }: Asking): Promise<string> {
  const { turn } = context;
  const { row, registered } = call;
  const id = newId();
  await db().transaction(async (tx) => {
    const locked = await lockTurn(tx, turn.id);
    stopped.throwIfAborted();
    if (locked?.status !== "running" || locked.cancelRequestedAt) throw new Error("the turn is over, so nobody is asked");
    const expiry = await approvalExpiry(tx, turn.workspaceId);
    await appendTurnEvents(tx, turn.id, [
      ...(step ? [{ event: "call.step" as const, data: step }] : []),
      {
        event: "approval.requested",
        data: { approvalId: id, callId: row.id, tool: registered.name, kind: "question", expiresAt: expiry.expiresAt.toISOString() },
      },
    ]);
    await askApproval(tx, {
      id,
      ...expiry,
      workspaceId: turn.workspaceId,
      conversationId: turn.conversationId,
      turnId: turn.id,
      callId: row.id,
      agent: context.agent.name,
      requestedBy: turn.requestedBy,
      tool: registered,
      arguments: call.arguments,
      decision: {
        verdict: "require_approval",
        reason: `${registered.title} asks: ${question.text}`,
        ruleId: null,
        ruleDigest: null,
        findings: [],
        trace: [],
        policyVersion: call.decision.policyVersion,
      },
      shape: "question",
      question: { ...question, answer: null },
      drift: [],
    });
    await signalOnCommit(tx, { topic: "turn", turnId: turn.id });
  });
  return id;
}
