import "server-only";
import { and, eq } from "drizzle-orm";
import { jobs } from "@/db/schema";
import { openArguments } from "@/server/audit/kept-arguments";
import { decide } from "@/server/guard/decide";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { liveTool } from "@/server/tools/live-tools";
import { callContextOf } from "../call-context";
import { callSlots } from "../call-slots";
import { executeCall } from "../execute-call";
import { loadTurn } from "../load-turn";
import { countFailures } from "../loop-guard";
import { type Outcome, sentences } from "../outcome";
import type { ReadyCall } from "../plan-segment";
import type { CallRow, TurnRow } from "../present-turn";
import { turnContextOf } from "../turn-context";
import { finishJob } from "./finish-job";
import { enterJob, isRunningHere } from "./running-jobs";
import type { JobRow } from "./start-in-background";

/** A job may take this many times as long as the same call would in the foreground, and never more than an hour. */
const patience = 10;
const longestMs = 3_600_000;
const betweenProgressMs = 1_000;

/** Takes up a pending job on this replica, by one conditional update, and runs it to its end. Returns when it runs. */
export async function runJob(jobId: string): Promise<void> {
  if (isRunningHere(jobId)) return;
  const [job] = await db()
    .update(jobs)
    .set({ status: "running", claimedBy: bootId(), startedAt: new Date() })
    .where(and(eq(jobs.id, jobId), eq(jobs.status, "pending")))
    .returning();
  if (!job) return;
  const stop = new AbortController();
  const work = execute(job, stop.signal).then((outcome) => finishJob(jobId, outcome));
  enterJob(jobId, { stop, work });
  work.catch((error) => log().error({ err: error, jobId }, "the end of a background job could not be stored; recovery will see to it"));
  // Somebody may have asked to stop it just before it began.
  if (job.cancelRequestedAt) stop.abort();
}

async function execute(job: JobRow, stopped: AbortSignal): Promise<Outcome> {
  const failed = (text: string): Outcome => ({ callId: job.callId, status: "failed", text });
  try {
    const loaded = await loadTurn(job.turnId);
    const row = loaded?.calls.find(({ id }) => id === job.callId);
    if (!loaded || !row) return failed("The turn of this job is gone.");
    const opened = openArguments(job);
    if (opened.sealedArguments !== null) return failed(sentences.unreadable(job.toolName));
    // Decided when it may begin, and not before: it may wait for long.
    const giveBack = await callSlots().take(job.workspaceId, stopped);
    try {
      return await executeAs(opened, loaded.turn, row, stopped);
    } finally {
      giveBack();
    }
  } catch (error) {
    log().warn({ err: error, jobId: job.id }, "a background job failed unexpectedly");
    return failed(sentences.broken(job.toolName, "it could not be started"));
  }
}

/** Runs the call of a job as it was decided, unless today's policy denies it, or asks for an approval that nobody gave. */
async function executeAs(job: JobRow, turn: TurnRow, row: CallRow, stopped: AbortSignal): Promise<Outcome> {
  const context = await turnContextOf(turn);
  const registered = context.scope.effective.get(job.toolName);
  const tool = registered && liveTool(job.workspaceId, registered);
  if (!registered || !tool)
    return { callId: job.callId, status: "failed", text: sentences.broken(job.toolName, "it is not there any more") };
  const decision = decide(context.policy, { tool: registered, arguments: job.arguments, context: callContextOf(context) });
  if (decision.verdict === "deny") return { callId: job.callId, status: "failed", text: sentences.denied(job.toolName, decision.reason) };
  // Rules that changed since it was sent off: a person is asked before a turn goes on, and nobody is asked here.
  if (decision.verdict === "require_approval" && job.decision.verdict !== "require_approval") {
    return { callId: job.callId, status: "failed", text: sentences.nobodyToAsk(job.toolName, decision.reason) };
  }
  const call: ReadyCall = { row, registered, tool, arguments: job.arguments, decision: job.decision, inBackground: true };
  const outcome = await executeCall(context, call, {
    stopped,
    timeoutMs: Math.min(longestMs, registered.effectiveTimeoutMs * patience),
    progress: progressOf(job.id),
    walk: async (steps) => {
      // Nobody watches a job, so nobody can answer it: its steps are walked through, and a question ends them.
      for (let step = await steps.next(""); ; step = await steps.next("")) {
        if (step.done) return step.value;
        if ("ask" in step.value || "approve" in step.value)
          throw new Error("it asks a question, which nobody can answer in the background");
      }
    },
  });
  return countFailures(context.conversation, call, outcome);
}

/** Writes the last line of progress into the job's row, once a second at the most. */
function progressOf(jobId: string): (message: string) => void {
  let latest: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  return (message) => {
    latest = message.slice(0, 200);
    timer ??= setTimeout(() => {
      timer = null;
      const written = db()
        .update(jobs)
        .set({ progress: latest ?? "" })
        .where(and(eq(jobs.id, jobId), eq(jobs.status, "running")));
      Promise.resolve(written).catch((error) => log().debug({ err: error, jobId }, "progress of a job was not written"));
    }, betweenProgressMs);
    timer.unref();
  };
}
