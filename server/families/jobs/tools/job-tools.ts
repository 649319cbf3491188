import { z } from "zod";
import { defineTool } from "@/server/tools/define-tool";
import { jobs } from "../conversation-jobs";

const jobId = z.string().trim().min(1).max(100).describe("From the answer to the call that was sent to the background");
const jobIdAliases = { job_id: "jobId", id: "jobId", taskId: "jobId", task_id: "jobId" };
// Hidden until a conversation has a job, because they would cost tokens; starting a job makes them callable.
const common = {
  family: "jobs",
  tier: "extension",
  disclosure: { hiddenUntilActive: true },
  running: { mayRepeat: true },
  needs: [jobs],
} as const;
const maxWaitSeconds = 300;

export const jobsTool = defineTool({
  ...common,
  name: "jobs",
  title: "List background jobs",
  description: "Lists the background jobs of this conversation with their state, newest first.",
  effect: "read",
  names: { aliases: ["list_jobs"] },
  input: z.object({}),
  async execute(_nothing, { jobs }) {
    return jobs.list();
  },
});

export const readJob = defineTool({
  ...common,
  name: "read_job",
  title: "Read a background job",
  description: "Shows the result of a background job in full, page by page, each line with its number, or how far the job is.",
  effect: "read",
  primaryArgument: "jobId",
  names: { parameterAliases: jobIdAliases },
  result: { neverSpilled: true },
  input: z.object({
    jobId,
    offset: z.int().min(0).default(0).describe("Lines to skip"),
    column: z.int().min(1).default(1).describe("First character of a line that was cut, as the page before it said"),
    lines: z.int().min(1).max(500).default(200).describe("Lines a page"),
  }),
  async execute({ jobId: id, ...page }, { jobs }) {
    return jobs.read(id, page);
  },
});

export const waitForJobTool = defineTool({
  ...common,
  name: "wait",
  title: "Wait for a background job",
  description: "Waits until a background job has ended and answers its result, or says how far it is when the time is up.",
  effect: "read",
  primaryArgument: "jobId",
  names: { parameterAliases: { ...jobIdAliases, timeout: "seconds" }, aliases: ["wait_for_job"] },
  timeoutMs: (maxWaitSeconds + 10) * 1_000,
  // Nothing is held while it waits, and a run is let go until the job ends.
  stateful: true,
  input: z.object({
    jobId,
    seconds: z
      .number()
      .positive()
      .default(60)
      .transform((seconds) => Math.min(seconds, maxWaitSeconds))
      .describe(`Default 60, at most ${maxWaitSeconds}`),
  }),
  async *execute({ jobId, seconds }, { jobs, timeoutMs }) {
    const id = await jobs.idOf(jobId);
    yield { wait: { kind: "job", id, seconds: Math.min(seconds, Math.max(1, timeoutMs / 1_000 - 1)) } };
    return jobs.told(id);
  },
});

export const stopTask = defineTool({
  ...common,
  name: "stop_task",
  title: "Stop a background job",
  description: "Stops a background job of this conversation.",
  // The tool only ends work that this conversation started.
  effect: "read",
  recovery: { idempotent: true },
  primaryArgument: "jobId",
  names: { parameterAliases: jobIdAliases, aliases: ["cancel_job", "stop_job"] },
  input: z.object({ jobId }),
  async execute({ jobId: id }, { jobs }) {
    return jobs.stop(id);
  },
});
