import "server-only";
import { eq } from "drizzle-orm";
import type { Turn } from "@/contracts/turns";
import { toolCalls } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Holder, refOf } from "@/server/auth/actor";
import { appendTurnEvents, lockTurn } from "@/server/conversations/turn-events";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { demandTurn, readTurn } from "./load-turn";
import { questionsOf } from "./walk-steps";

type Answer = { turnId: string; callId: string; question: number; text: string };

/**
 * Answers what a running tool asks, once; it goes on wherever it runs.
 * @throws AppError `not_found`, `conflict` when the tool does not ask this, or not any more.
 */
export async function answerCall(actor: Holder<"turns:write">, { turnId, callId, question, text }: Answer): Promise<Turn> {
  await demandTurn(actor, turnId);
  await db().transaction(async (tx) => {
    const turn = await lockTurn(tx, turnId);
    const [call] = await tx.select().from(toolCalls).where(eq(toolCalls.id, callId));
    if (!turn || call?.turnId !== turnId) throw new AppError("not_found", "This call is not one of the turn's.");
    if (call.status !== "running") throw new AppError("conflict", `${call.name} is ${call.status} and asks nothing any more.`);
    const asked = (await questionsOf(turnId, callId, tx)).find(({ number }) => number === question);
    if (!asked) throw new AppError("conflict", `${call.name} has not asked question ${question}.`);
    if (asked.answer !== undefined) throw new AppError("conflict", `Question ${question} of ${call.name} was answered already.`);
    const data = { callId, id: call.runtimeId, name: call.name, question, text, by: refOf(actor) };
    await appendTurnEvents(tx, turnId, [{ event: "call.answered", data }]);
    await record(tx, {
      workspaceId: turn.workspaceId,
      event: "call.answered",
      actor: refOf(actor),
      subject: call.name,
      tool: call.name,
      conversationId: turn.conversationId,
      turnId,
      callId,
      data: { question, text },
      requestId: actor.requestId,
    });
    await signalOnCommit(tx, { topic: "turn", turnId });
  });
  return readTurn(turnId);
}
