import { z } from "zod";
import { noEffects } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { whyNobodyMayBeAsked } from "../askable-agents";
import { delegation } from "../delegation-capability";

export const listAvailableAgents = defineTool({
  name: "list_available_agents",
  title: "Agents that may be asked",
  description: "Lists the agents to which this agent may hand tasks: name, type and description.",
  family: "delegation",
  tier: "core",
  effect: "read",
  approval: noEffects,
  needs: [delegation],
  names: { aliases: ["listAvailableAgents"] },
  disclosure: { workspaceAvailability: whyNobodyMayBeAsked },
  input: z.object({}),
  async execute(_input, { delegation }) {
    const agents = await delegation.listAgents();
    if (agents.length === 0) return "This agent may hand tasks to no agent. Do the work yourself.";
    return agents.map(({ name, description }) => ({ name, type: "agent", description }));
  },
});

export const listSubagents = defineTool({
  name: "list_subagents",
  title: "Tasks that were handed on",
  description:
    "Lists the tasks that this conversation handed to other agents, newest first: task_id, agent, status and the task's beginning.",
  family: "delegation",
  tier: "extension",
  effect: "read",
  approval: noEffects,
  needs: [delegation],
  names: { aliases: ["listSubagents"] },
  running: { mayRepeat: true },
  input: z.object({}),
  async execute(_input, { delegation }) {
    const tasks = await delegation.listTasks();
    if (tasks.length === 0) return "This conversation has handed on no task.";
    return tasks.map(({ runId, conversationId, agent, status, task, createdAt, finishedAt }) => ({
      task_id: runId,
      child_conversation_id: conversationId,
      agent_name: agent,
      status,
      task,
      started_at: createdAt,
      finished_at: finishedAt,
    }));
  },
});
