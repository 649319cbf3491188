import "server-only";
import type { ActorRef } from "@/contracts/common";
import { record } from "@/server/audit/record";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { bootId, newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { countFailures } from "../decide/count-failures";
import type { Outcome } from "../outcome";
import type { ReadyCall } from "../step-data";
import type { TurnContext } from "../turn-context";
import { finishJob } from "./finish-job";
import { enterJob } from "./running-jobs";
import { insertJob, noteJobs } from "./start-in-background";

type Promotion = { context: TurnContext; call: ReadyCall; running: Promise<Outcome>; stop: AbortController; by: ActorRef };

/**
 * Turns a call that runs here into a background job. The call is not restarted; only the turn stops waiting for it.
 * @returns the job's id
 */
export async function moveToBackground({ context, call, running, stop, by }: Promotion): Promise<string> {
  const { turn } = context;
  const jobId = newId();
  await db().transaction(async (tx) => {
    await insertJob(tx, { turn, agentName: context.agent.name }, call, {
      id: jobId,
      status: "running",
      claimedBy: bootId(),
      startedAt: call.row.startedAt ?? sharedNow(),
      promoted: true,
    });
    await record(tx, {
      workspaceId: turn.workspaceId,
      event: "call.promoted",
      actor: by,
      subject: call.registered.name,
      tool: call.registered.name,
      conversationId: turn.conversationId,
      turnId: turn.id,
      callId: call.row.id,
      data: { jobId },
    });
    await noteJobs(tx, turn.conversationId);
  });
  conversationChanged(turn.conversationId);
  const work = running.then((outcome) => countFailures(context.conversation, call, outcome)).then((outcome) => finishJob(jobId, outcome));
  enterJob(jobId, { stop, work });
  work.catch((error) => log().error({ err: error, jobId }, "the end of a background job could not be stored; recovery will see to it"));
  return jobId;
}
