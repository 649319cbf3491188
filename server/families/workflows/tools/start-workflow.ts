import { z } from "zod";
import { maxWorkflowInput } from "@/contracts/automation/workflows";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { workflows } from "../workflows-capability";

export const startWorkflowTool = defineTool({
  name: "start_workflow",
  title: "Start a workflow",
  description:
    "Starts a saved workflow of the workspace with an input, and does not wait for its end. An unknown name is answered with the names.",
  family: "workflows",
  tier: "extension",
  effect: "write",
  needs: [workflows],
  names: {
    aliases: ["run_workflow"],
    parameterAliases: { workflow: "name", prompt: "input", message: "input" },
  },
  primaryArgument: "name",
  input: z.object({
    name: z.string().trim().min(1).max(100).describe("Name of the workflow"),
    input: z.string().max(maxWorkflowInput).default("").describe("Fills {input} in the prompts of the steps"),
  }),
  approval: {
    // People saved the workflow, and the guard decides every call of its agents.
    effects: () => [actsInside("starts a workflow")],
  },
  async execute({ name, input }, { workflows }) {
    const { id } = await workflows.start(name, input);
    return `Started the workflow ${name}. workflow_run_id=${id}`;
  },
});
