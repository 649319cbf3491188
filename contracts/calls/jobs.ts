import { z } from "zod";
import { ActorRef, Id, JsonObject, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { ContentPart } from "./content-part";

export const jobStatuses = ["pending", "running", "succeeded", "failed", "timed_out", "cancelled", "interrupted"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** A finished background job as the model reads it. */
export const FinishedJob = z
  .object({
    jobId: Id,
    name: z.string().describe("The tool."),
    status: z.enum(jobStatuses),
    isError: z.boolean(),
    content: z.string(),
    contentParts: z.array(ContentPart).optional().describe("Files of the result; absent without any."),
    finishedAt: Timestamp,
  })
  .meta({ id: "FinishedJob" });
export type FinishedJob = z.infer<typeof FinishedJob>;

export const Job = z
  .object({
    id: Id,
    conversationId: Id,
    turnId: Id,
    callId: Id,
    name: z.string().describe("The tool."),
    arguments: JsonObject.describe("Values that look like secrets are masked."),
    status: z.enum(jobStatuses),
    progress: z.string(),
    isError: z.boolean(),
    content: z.string(),
    contentParts: z.array(ContentPart).optional().describe("Files of the result; absent without any."),
    truncated: z.object({ originalChars: z.number().int(), artifactId: Id }).nullable(),
    promoted: z.boolean().describe("A running call that somebody moved to the background."),
    requestedBy: ActorRef,
    deliveredTurnId: Id.nullable().describe("The turn with which the model got the result."),
    durationMs: z.number().int().nullable(),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "Job" });
export type Job = z.infer<typeof Job>;

export const JobFilter = z.object({ status: z.enum(jobStatuses).optional(), conversationId: Id.optional() });
export type JobFilter = z.infer<typeof JobFilter>;

const params = z.object({ id: Id });

export const jobEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/jobs",
    summary: "Background jobs, newest first",
    permission: "turns:read",
    query: JobFilter.extend(pageQuery),
    response: listOf(Job),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/jobs/{id}",
    summary: "One background job; with `wait`, answers when it ended or the time is up",
    permission: "turns:read",
    params,
    query: z.object({ wait: z.coerce.number().min(0).max(60).default(0) }),
    response: Job,
  }),
  cancel: endpoint({
    method: "POST",
    path: "/api/v1/jobs/{id}/cancel",
    summary: "Stop a background job; one that has ended stays as it is",
    permission: "turns:write",
    params,
    response: Job,
  }),
};

export const jobContract = defineContract({
  reference: { name: "Jobs", description: "Calls that run in the background; their results come with a later turn." },
  glossary: {
    "background job": "A call that goes on after its turn received a placeholder; a later turn receives the result.",
  },
  endpoints: jobEndpoints,
  audit: {
    "job.started": "Job started",
    "job.succeeded": "Job succeeded",
    "job.failed": "Job failed",
    "job.timed_out": "Job timed out",
    "job.cancelled": "Job cancelled",
    "job.interrupted": "Job interrupted",
  },
  events: { "job.finished": { label: "Job finished", explanation: "A background call has its result" } },
});
