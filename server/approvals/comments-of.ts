import "server-only";
import { asc, eq } from "drizzle-orm";
import { approvalVotes } from "@/db/schema";
import { db } from "@/server/platform/database";
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
