import { backgroundJob } from "@/server/turns/outcome";
import { defineFamily } from "../define-family";
import { jobs } from "./conversation-jobs";
import { jobsTool, readJob, stopTask, waitForJobTool } from "./tools/job-tools";

export const jobsFamily = defineFamily({
  name: "jobs",
  tools: [jobsTool, readJob, stopTask, waitForJobTool],
  capabilities: [jobs],
  promptHints: [[backgroundJob, "read_job, wait, jobs and stop_task look after it."]],
});
