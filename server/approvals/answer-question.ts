import "server-only";
import { eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { approvals, toolCalls } from "@/db/schema";
import { appendTurnEvents } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database";
import { retryOnConflict } from "@/server/platform/retry-on-conflict";
import { storableText } from "@/server/platform/storable";
import { type ApprovalRow, settleApproval } from "./settle-approval";

type Answer = { actor: ActorRef; requestId: string | null; text: string };

/**
 * Answers the question of a running tool once: settles the approval and writes the answer to it and to the turn's journal.
 * @returns the settled row; undefined when another answer came first or the approval has expired
 */
export async function answerQuestion(approval: ApprovalRow, { actor, requestId, text }: Answer): Promise<ApprovalRow | undefined> {
  const { question: asked, turnId, callId } = approval;
  if (!asked) throw new Error(`approval ${approval.id} is no question`);
  const question = { ...asked, answer: storableText(text) };
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const settled = await settleApproval(approval, { status: "answered", actor, requestId, text: question.answer }, tx);
      if (!settled) return undefined;
      await tx.update(approvals).set({ question }).where(eq(approvals.id, approval.id));
      const [call] = await tx.select({ id: toolCalls.runtimeId, name: toolCalls.name }).from(toolCalls).where(eq(toolCalls.id, callId));
      const data = { callId, id: call?.id ?? "", name: call?.name ?? "", question: asked.number, text: question.answer, by: actor };
      await appendTurnEvents(tx, turnId, [{ event: "call.answered", data }]);
      return { ...settled, question };
    }),
  );
}
