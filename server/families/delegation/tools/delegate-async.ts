import { z } from "zod";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { whyNobodyMayBeAsked } from "../askable-agents";
import { delegation } from "../delegation-capability";
import { AgentName, Task } from "./delegate";

const hint = "The agent works on its own. Call task_output with this taskId for its progress and its answer; block waits for it.";

export const delegateAsync = defineTool({
  name: "delegate_async",
  title: "Hand a task over without waiting",
  description:
    "Hands a task to another agent and returns at once with a task_id. Go on with other work and fetch the answer with task_output.",
  family: "delegation",
  tier: "core",
  effect: "write",
  approval: { effects: () => [actsInside("hands a task to another agent")] },
  needs: [delegation],
  names: {
    aliases: ["delegateAsync"],
    parameterAliases: { agent_name: "agentName", agent: "agentName", prompt: "task" },
  },
  primaryArgument: "task",
  recovery: { idempotent: true },
  running: { concurrencySafe: true },
  disclosure: { workspaceAvailability: whyNobodyMayBeAsked },
  input: z.object({
    agentName: AgentName,
    task: Task,
    label: z.string().trim().max(200).optional().describe("A short name of the task, for people"),
  }),
  async execute({ agentName, task, label }, { delegation }) {
    const { runId, conversationId } = await delegation.hand(agentName, { message: task, isAwaited: false, ...(label ? { label } : {}) });
    return { task_id: runId, child_conversation_id: conversationId, agent_name: agentName, status: "running", hint };
  },
});
