import "server-only";
import { and, eq } from "drizzle-orm";
import type { FinishedJob } from "@/contracts/calls/jobs";
import type { Turn } from "@/contracts/turns/turns";
import { turns } from "@/db/schema";
import { type Actor, systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { loadCallFacts } from "@/server/turns/call-facts";
import { requestCancel } from "@/server/turns/cancel-turn";
import { readTurn } from "@/server/turns/read/load-turn";
import { waitForTurn } from "@/server/turns/read/wait-for-turn";
import { imagesOf } from "./context/message-images";
import { closingResults, openCalls, unknownOutcome } from "./open-calls";
import type { RunRow } from "./run-row";
import { type LiveRun, type NewMessage, toolMessage } from "./save-run";

/** The beginning of the idempotency keys of turns that runs submit. */
export const turnKeyPrefix = "run:";

/** Seconds for which the end of a run waits for running tools to stop. */
const stopSeconds = 5;
const neverAborted = new AbortController().signal;

/** The key of the turn of a run's last reply. */
export const turnKeyOf = ({ run, messages }: Pick<LiveRun, "run" | "messages">): string =>
  `${turnKeyPrefix}${run.id}:${messages.length - 1}`;

/** The result of a background job as the model reads it. */
export const jobText = ({ jobId, name, status, content }: FinishedJob): string =>
  `[Background job ${jobId} (${name}): ${status}]\n${content}`;

/** The results as the model reads them; those of background jobs that ended meanwhile stand behind the last one. */
export function toResults({ id: turnId, calls, finishedJobs = [] }: Turn): NewMessage[] {
  const results = calls.map(({ id, requestedName, finishedAt, content, isError, contentParts }) =>
    finishedAt === null
      ? toolMessage({ id, name: requestedName }, unknownOutcome, { isError: true, turnId })
      : toolMessage({ id, name: requestedName }, content, { isError, turnId, images: imagesOf(contentParts) }),
  );
  const last = results.at(-1);
  if (!last || finishedJobs.length === 0) return results;
  const told = finishedJobs.map(jobText);
  return [...results.slice(0, -1), { ...last, content: { ...last.content, text: [last.content.text, ...told].join("\n\n") } }];
}

/**
 * Ends the turn of a run that ends, and returns the results of the last reply's calls. Also finds a turn that a former owner of the
 * run submitted, so that no call that ran is reported as not run.
 */
export async function closeTurn({ run, messages }: LiveRun): Promise<NewMessage[]> {
  if (openCalls(messages).length === 0) return [];
  const [found] = await db()
    .select({ id: turns.id })
    .from(turns)
    .where(and(eq(turns.conversationId, run.conversationId), eq(turns.idempotencyKey, turnKeyOf({ run, messages } as LiveRun))));
  if (!found) return closingResults(messages);
  const facts = await loadCallFacts(run);
  await db().transaction((tx) => requestCancel(tx, asHandrail(run), found.id, { facts }));
  const turn = await readTurn(found.id);
  return toResults(turn.status === "running" ? await waitForTurn(found.id, stopSeconds, neverAborted) : turn);
}

/** Handrail itself, which needs no permission to end what it started. */
export function asHandrail({ id, workspaceId }: Pick<RunRow, "id" | "workspaceId">): Actor {
  return { ...systemActor, workspaceId, role: null, permissions: new Set(), agentId: null, personId: systemActor.id, requestId: id };
}
