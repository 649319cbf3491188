import "server-only";
import { eq } from "drizzle-orm";
import type { Turn } from "@/contracts/turns/turns";
import { toolCalls } from "@/db/schema";
import { answerQuestion } from "@/server/approvals/answer-question";
import { requireEligible } from "@/server/approvals/require-eligible";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { askedBefore } from "../ask/ask-question";
import { readTurn, requireTurn } from "../read/load-turn";

type Answer = { turnId: string; callId: string; question: number; text: string };

/**
 * Answers the question of a running tool, once; the tool continues on whichever replica runs it. The agent runtime of
 * the conversation may answer, and so may an eligible approver.
 * @throws AppError `not_found`, `forbidden`, `conflict` when the tool never asked this question or it is settled
 */
export async function answerCall(
  actor: Authorized<"turns:read"> | Authorized<"turns:write">,
  { turnId, callId, question, text }: Answer,
): Promise<Turn> {
  await requireTurn(actor, turnId);
  const [call] = await db().select().from(toolCalls).where(eq(toolCalls.id, callId));
  if (call?.turnId !== turnId) throw new AppError("not_found", "This call is not one of the turn's.");
  if (call.status !== "running") throw new AppError("conflict", `${call.name} is ${call.status} and has no open question.`);
  const asked = await askedBefore(callId, question);
  if (!asked) throw new AppError("conflict", `${call.name} has not asked question ${question}.`);
  await requireEligible(actor, asked);
  if (!(await answerQuestion(asked, { actor: toActorRef(actor), requestId: actor.requestId, text, from: actor.via ?? null }))) {
    throw new AppError("conflict", `Question ${question} of ${call.name} is settled already.`);
  }
  return readTurn(turnId);
}
