import "server-only";
import { eq } from "drizzle-orm";
import { sourceLabel } from "@/contracts/tools/tools";
import type { Db } from "@/db/client";
import { activations, conversations, jobs } from "@/db/schema";
import { keepArguments } from "@/server/audit/kept-arguments";
import { record } from "@/server/audit/record";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { newId } from "@/server/platform/ids";
import { enqueue } from "@/server/platform/queue";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { builtinTools } from "@/server/tools/builtin-tools";
import { withApproversWords } from "../ask/approvers-words";
import type { LiveTurn } from "../live-turn";
import { sentences } from "../outcome";
import { saveAlongside } from "../save/save-turn";
import type { ReadyCall } from "../step-data";
import { settleCall } from "../transitions/settle-call";
import { startCall } from "../transitions/start-call";
import { jobQueue } from "./job-queue";

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
        const placeholder = sentences.inBackground(call.registered.name, jobId);
        const text = withApproversWords(call, placeholder);
        await settleCall(live, { callId: call.row.id, status: "succeeded", text, jobId });
      }
    },
    write: async (tx) => {
      for (const call of calls) await insertJob(tx, { turn, agentName: live.facts?.agent ?? null }, call, { status: "pending" });
      const { workspaceId } = turn;
      await enqueue(
        tx,
        jobQueue,
        calls.map(({ row }) => ({ workspaceId, input: { jobId: row.jobId ?? "" } })),
      );
      await noteJobs(tx, turn.conversationId);
    },
  });
  conversationChanged(turn.conversationId);
  return isSaved;
}

/** Inserts a job with its audit row. The job's id comes from `state` or from the call's row. */
export async function insertJob(
  tx: Db,
  { turn, agentName }: Pick<LiveTurn, "turn"> & { agentName: string | null },
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
    agent: agentName,
    source: sourceLabel(registered),
    verdict: decision.verdict,
    conversationId,
    turnId: turn.id,
    callId: row.id,
    data: { arguments: args, promoted: state.promoted ?? false },
  });
}

/** Marks a conversation as having jobs, and activates the tools with which its model manages jobs. */
export async function noteJobs(tx: Db, conversationId: string): Promise<void> {
  await tx.update(conversations).set({ hasJobs: true }).where(eq(conversations.id, conversationId));
  const shown = builtinTools().filter(({ hiddenUntilActive, needs }) => hiddenUntilActive && needs.includes("jobs"));
  if (shown.length > 0) {
    const rows = shown.map(({ name }) => ({ conversationId, toolName: name }));
    await tx.insert(activations).values(rows).onConflictDoNothing();
  }
  await signalOnCommit(tx, { topic: "conversation", conversationId });
}
