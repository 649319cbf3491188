import "server-only";
import { and, eq } from "drizzle-orm";
import { jobs } from "@/db/schema";
import { readApproval } from "@/server/approvals/read-approval";
import { openArguments } from "@/server/audit/kept-arguments";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { liveTool } from "@/server/tools/live-tools";
import { findChangedFiles } from "../contents/call-contents";
import { countFailures } from "../decide/count-failures";
import { decideCall } from "../decide/decide-call";
import { callSlots, withoutSlot } from "../execute/call-slots";
import { executeCall } from "../execute/execute-call";
import { type Outcome, sentences } from "../outcome";
import { loadTurn } from "../read/load-turn";
import type { CallRow, TurnRow } from "../read/present-turn";
import type { ReadyCall } from "../step-data";
import { loadTurnContext } from "../turn-context";
import { awaitDurable } from "../waits/durable-waits";
import { finishJob } from "./finish-job";
import { enterJob, isRunningHere } from "./running-jobs";
import type { JobRow } from "./start-in-background";

/** Factor by which a job may take longer than the same call in the foreground, up to `maxMs`. */
const patience = 10;
const maxMs = 3_600_000;
const betweenProgressMs = 1_000;

/** Claims a pending job by one conditional update and starts it. Returns as soon as the job runs. */
export async function runJob(jobId: string): Promise<void> {
  if (isRunningHere(jobId)) return;
  const [job] = await db()
    .update(jobs)
    .set({ status: "running", claimedBy: bootId(), startedAt: sharedNow() })
    .where(and(eq(jobs.id, jobId), eq(jobs.status, "pending")))
    .returning();
  if (!job) return;
  const stop = new AbortController();
  const work = execute(job, stop.signal).then((outcome) => finishJob(jobId, outcome));
  enterJob(jobId, { stop, work });
  work.catch((error) => log().error({ err: error, jobId }, "the end of a background job could not be stored; recovery will see to it"));
  // A cancellation may have come just before the claim.
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
    // Waits for the slot before the decision, because the wait may be long and the decision must be current.
    const slot = { giveBack: await callSlots().take(job.workspaceId, stopped) };
    try {
      return await executeAs(opened, { turn: loaded.turn, row, slot }, stopped);
    } finally {
      slot.giveBack();
    }
  } catch (error) {
    log().warn({ err: error, jobId: job.id }, "a background job failed unexpectedly");
    return failed(sentences.broken(job.toolName, "it could not be started"));
  }
}

type Place = { turn: TurnRow; row: CallRow; slot: { giveBack: () => void } };

/** Runs the call of a job under its first decision, unless the current policy denies the call or newly requires an approval. */
async function executeAs(job: JobRow, { turn, row, slot }: Place, stopped: AbortSignal): Promise<Outcome> {
  const context = await loadTurnContext(turn);
  const registered = context.scope.effective.get(job.toolName);
  const tool = registered && liveTool(job.workspaceId, registered);
  if (!registered || !tool)
    return { callId: job.callId, status: "failed", text: sentences.broken(job.toolName, "it is not there any more") };
  const decision = await decideCall(context, registered, job.arguments);
  if (decision.verdict === "deny") return { callId: job.callId, status: "failed", text: sentences.denied(job.toolName, decision.reason) };
  // Changed rules now require an approval. A turn would be suspended to ask, but a job cannot be, so it fails.
  if (decision.verdict === "require_approval" && job.decision.verdict !== "require_approval") {
    return { callId: job.callId, status: "failed", text: sentences.nobodyToAsk(job.toolName, decision.reason) };
  }
  const contents = row.approvalId === null ? null : ((await readApproval(row.approvalId))?.contents ?? null);
  const changes = await findChangedFiles(context, { registered, arguments: job.arguments }, contents);
  if (changes.length > 0) return { callId: job.callId, status: "failed", text: sentences.filesChanged(job.toolName, changes) };
  const call: ReadyCall = { row, registered, tool, arguments: job.arguments, decision: job.decision, inBackground: true };
  const outcome = await executeCall(context, call, {
    stopped,
    timeoutMs: Math.min(maxMs, registered.effectiveTimeoutMs * patience),
    progress: progressOf(job.id),
    withoutSlot: withoutSlot(job.workspaceId, slot),
    walk: async (steps) => {
      // Nobody can answer a job's questions, so its steps run without answers, and a question fails the job.
      for (let step = await steps.next(""), answer = ""; ; step = await steps.next(answer)) {
        if (step.done) return step.value;
        answer = "wait" in step.value ? await awaitDurable(step.value, stopped) : "";
        if ("ask" in step.value || "approve" in step.value)
          throw new Error("it asks a question, which nobody can answer in the background");
      }
    },
  });
  return countFailures(context.conversation, call, outcome);
}

/** Returns a function that writes the latest progress line into the job's row, at most once a second. */
function progressOf(jobId: string): (message: string) => void {
  let latest: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  return (message) => {
    latest = message.slice(0, 200);
    timer ??= setTimeout(() => {
      timer = null;
      writeProgress(jobId, latest ?? "").catch((error) => log().debug({ err: error, jobId }, "progress of a job was not written"));
    }, betweenProgressMs);
    timer.unref();
  };
}

async function writeProgress(jobId: string, progress: string): Promise<void> {
  await db()
    .update(jobs)
    .set({ progress })
    .where(and(eq(jobs.id, jobId), eq(jobs.status, "running")));
}
