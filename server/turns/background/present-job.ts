import type { FinishedJob, Job } from "@/contracts/calls/jobs";
import type { JsonObject } from "@/contracts/common";
import { maskSecrets } from "@/server/secrets/mask-secrets";
import type { JobRow } from "./start-in-background";

const isError = ({ status }: JobRow): boolean => status !== "succeeded" && status !== "pending" && status !== "running";

const partsOf = ({ contentParts }: JobRow) => (contentParts ? { contentParts } : {});

/** Converts a job to its public form; no other code does. */
export function presentJob(row: JobRow): Job {
  return {
    id: row.id,
    conversationId: row.conversationId,
    turnId: row.turnId,
    callId: row.callId,
    name: row.toolName,
    arguments: maskSecrets(row.arguments) as JsonObject,
    status: row.status,
    progress: row.progress,
    isError: isError(row),
    content: row.content,
    ...partsOf(row),
    truncated: row.truncated,
    promoted: row.promoted,
    requestedBy: row.requestedBy,
    deliveredTurnId: row.deliveredTurnId,
    durationMs: row.durationMs,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** Converts an ended job to the result that the model reads with a later turn. */
export function presentFinished(row: JobRow): FinishedJob {
  return {
    jobId: row.id,
    name: row.toolName,
    status: row.status,
    isError: isError(row),
    content: row.content,
    ...partsOf(row),
    finishedAt: (row.finishedAt ?? row.updatedAt).toISOString(),
  };
}
