import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

/** One item looks at one run of a workflow: what comes next, or the end of its children after a cancellation. */
export const advanceQueue = defineQueue({ name: "advance_workflow", input: z.object({ workflowRunId: Id }) });

/** One item starts the agent of one step. */
export const stepQueue = defineQueue({ name: "start_workflow_step", input: z.object({ stepId: Id }) });
