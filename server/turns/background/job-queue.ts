import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

/** Starts a background job, which is a call of a turn. The job's own row says who runs it and how it ended. */
export const jobQueue = defineQueue({
  name: "run_job",
  title: "Background jobs",
  description: "One item per job that has to start",
  input: z.object({ jobId: Id }),
});
