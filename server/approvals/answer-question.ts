import "server-only";
import { eq } from "drizzle-orm";
import type { DecisionPlace } from "@/contracts/approvals/approvals";
import type { ActorRef } from "@/contracts/common";
import { toolCalls } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { settleApproval } from "./settle-approval";
import type { ApprovalRow } from "./settlement";

type Answer = { actor: ActorRef; requestId: string | null; text: string; from?: DecisionPlace | null };

/**
 * Answers the question of a running tool once: settles the approval and writes the answer to it and to the turn's journal.
 * @returns the settled row; undefined when another answer came first or the approval has expired
 */
export async function answerQuestion(
  approval: ApprovalRow,
  { actor, requestId, text, from = null }: Answer,
): Promise<ApprovalRow | undefined> {
  if (!approval.question) throw new Error(`approval ${approval.id} is no question`);
  const [call] = await db()
    .select({ id: toolCalls.runtimeId, name: toolCalls.name })
    .from(toolCalls)
    .where(eq(toolCalls.id, approval.callId));
  return settleApproval(approval, { status: "answered", actor, requestId, from, text, call: call ?? { id: "", name: "" } });
}
