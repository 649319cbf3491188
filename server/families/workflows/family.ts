import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { advanceWorkflow, findLostWorkflows, followRun, startStep } from "./advance-workflow";
import { workflowAnswers } from "./endpoints";
import { startWorkflowTool } from "./tools/start-workflow";
import { advanceQueue, stepQueue } from "./workflow-queues";
import { startForOthers } from "./workflow-runs";
import { workflows } from "./workflows-capability";

export const workflowsFamily = defineFamily({
  name: "workflows",
  endpoints: workflowAnswers,
  tools: [startWorkflowTool],
  capabilities: [workflows],
  queues: [handled(advanceQueue, advanceWorkflow), handled(stepQueue, startStep)],
  runEnded: followRun,
  workflowStart: startForOthers,
  findLostWork: [findLostWorkflows],
});
