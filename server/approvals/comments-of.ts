import "server-only";
import { and, asc, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { approvalVotes } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { ApprovalRow } from "./settlement";

/** Returns what the approvers of a call said, in the order of their votes. The row keeps only the comment of the last vote. */
export async function commentsOf({ id, quorumNeeded, comment }: ApprovalRow): Promise<string[]> {
  if (quorumNeeded === 1) return comment === "" ? [] : [comment];
  const votes = await db()
    .select({ comment: approvalVotes.comment })
    .from(approvalVotes)
    .where(eq(approvalVotes.approvalId, id))
    .orderBy(asc(approvalVotes.id));
  return votes.flatMap((vote) => (vote.comment === "" ? [] : [vote.comment]));
}

/** Returns the people who approved a call, in the order of their votes, each with their words to the model. */
export async function approversOf(approvalId: string): Promise<{ actor: ActorRef; comment: string }[]> {
  return db()
    .select({ actor: approvalVotes.actor, comment: approvalVotes.comment })
    .from(approvalVotes)
    .where(and(eq(approvalVotes.approvalId, approvalId), eq(approvalVotes.decision, "approve")))
    .orderBy(asc(approvalVotes.id));
}
