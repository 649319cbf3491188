import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

/** One item looks at one run of a workflow: what comes next, or the end of its children after a cancellation. */
export const advanceQueue = defineQueue({
  name: "advance_workflow",
  title: "Workflows",
  description: "Takes the next step of a workflow, and stops the steps of a cancelled one",
  input: z.object({ workflowRunId: Id }),
});

/** One item starts the agent of one step. */
export const stepQueue = defineQueue({
  name: "start_workflow_step",
  title: "Steps of workflows",
  description: "Starts the agent of one step",
  input: z.object({ stepId: Id }),
});
