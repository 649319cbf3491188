import "server-only";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { activations, conversations, jobs } from "@/db/schema";
import { keepArguments } from "@/server/audit/kept-arguments";
import { record } from "@/server/audit/record";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { signalOnCommit } from "@/server/platform/bus";
import { newId } from "@/server/platform/ids";
import { queue } from "@/server/platform/queue";
import { settleCall } from "../arrows/settle-call";
import { startCall } from "../arrows/start-call";
import type { LiveTurn } from "../live-turn";
import { sentences } from "../outcome";
import type { ReadyCall } from "../plan-segment";
import { saveAlongside } from "../save-turn";

/** The tools that look after jobs: they cost no tokens until a conversation has one. */
export const jobToolNames = ["jobs", "read_job", "stop_task", "wait"] as const;

export type JobRow = typeof jobs.$inferSelect;

/**
 * Ends calls with a placeholder and queues them as background jobs, in one transaction.
 * @returns false when the turn's rows are not as expected, and nothing was written.
 */
export async function startInBackground(live: LiveTurn, calls: readonly ReadyCall[]): Promise<boolean> {
  const { turn } = live;
  const isSaved = await saveAlongside(live, {
    change: async () => {
      for (const call of calls) {
        const jobId = call.row.jobId ?? newId();
        startCall(live, call);
        const text = sentences.inBackground(call.registered.name, jobId);
        await settleCall(live, { callId: call.row.id, status: "succeeded", text, jobId });
      }
    },
    write: async (tx) => {
      for (const call of calls) await insertJob(tx, live, call, { status: "pending" });
      for (const { row } of calls) await queue().send(tx, "run_job", { jobId: row.jobId ?? "" });
      await noteJobs(tx, turn.conversationId);
    },
  });
  conversationChanged(turn.conversationId);
  return isSaved;
}

/** Adds the row of a job, with its audit row. The call names the job already. */
export async function insertJob(
  tx: Db,
  { turn }: Pick<LiveTurn, "turn">,
  { row, registered, arguments: args, decision }: ReadyCall,
  state: Partial<typeof jobs.$inferInsert>,
): Promise<void> {
  const jobId = state.id ?? row.jobId;
  if (!jobId) throw new Error("a background call has no job id");
  const { workspaceId, conversationId, requestedBy } = turn;
  const kept = keepArguments({ arguments: args, rawArguments: null, sealedArguments: null }, { isOver: false });
  await tx.insert(jobs).values({
    id: jobId,
    workspaceId,
    conversationId,
    turnId: turn.id,
    callId: row.id,
    toolName: registered.name,
    arguments: kept.arguments,
    sealedArguments: kept.sealedArguments,
    decision,
    requestedBy,
    ...state,
  });
  await record(tx, {
    workspaceId,
    event: "job.started",
    actor: requestedBy,
    subject: jobId,
    tool: registered.name,
    verdict: decision.verdict,
    conversationId,
    turnId: turn.id,
    callId: row.id,
    data: { arguments: args, promoted: state.promoted ?? false },
  });
}

/** Writes down that a conversation has jobs, and shows its model the tools that look after them. */
export async function noteJobs(tx: Db, conversationId: string): Promise<void> {
  await tx.update(conversations).set({ hasJobs: true }).where(eq(conversations.id, conversationId));
  await tx
    .insert(activations)
    .values(jobToolNames.map((toolName) => ({ conversationId, toolName })))
    .onConflictDoNothing();
  await signalOnCommit(tx, { topic: "conversation", conversationId });
}
