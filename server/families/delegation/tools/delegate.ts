import { z } from "zod";
import type { Run } from "@/contracts/runs/runs";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { whyNobodyMayBeAsked } from "../askable-agents";
import { answerChars, childResult } from "../child-result";
import { delegation } from "../delegation-capability";

/** The longest time for which a child works; its agent's own limit may be lower. Time in which people decide does not count. */
export const childTimeoutMs = 3_600_000;

export const AgentName = z
  .string({ error: "missing required param: agentName. Name the agent to delegate to." })
  .trim()
  .min(1, "Name the agent to delegate to.")
  .max(100, "A name has at most 100 characters. list_available_agents lists the agents.")
  .describe("Name of the agent; list_available_agents lists them");

export const Task = z
  .string({ error: "missing required param: task. Describe the task." })
  .trim()
  .min(1, "Describe the task.")
  .max(100_000, "A task has at most 100,000 characters. Put long texts into a file and name it.")
  .describe("The task, complete in itself: the other agent does not see this conversation");

export const InheritParentContext = z
  .boolean()
  .default(false)
  .describe("Give it the last 10 messages of this conversation, each cut at 1,000 characters");

/** Returns a line for people about a child that is still at work. */
export function progressOf({ agent, status, steps }: Run): string {
  return status === "waiting"
    ? `${agent} waits for a person's approval`
    : `${agent} works, ${steps} ${steps === 1 ? "step" : "steps"} so far`;
}

/** Waits with a wait of the pipeline that takes no slot and no time of the call; without one, just waits. */
export const plainWait = <T>(wait: () => Promise<T>): Promise<T> => wait();

export const delegate = defineTool({
  name: "delegate",
  title: "Hand a task to another agent",
  description:
    "Hands a task to another agent and waits for its answer. The agent works in a conversation of its own, with its own tools, for the same user. Use it for a part of the work that another agent is made for.",
  family: "delegation",
  tier: "core",
  // The child's own calls go through the guard one by one, so handing over changes nothing by itself.
  effect: "write",
  approval: { effects: () => [actsInside("hands a task to another agent")] },
  needs: [delegation],
  names: {
    aliases: ["delegateToAgent", "delegate_to_agent"],
    parameterAliases: { agent_name: "agentName", agent: "agentName", prompt: "task", inherit_parent_context: "inheritParentContext" },
  },
  primaryArgument: "task",
  recovery: {
    // A repeated call finds the child that it started before.
    idempotent: true,
  },
  running: { concurrencySafe: true, backgroundable: true },
  timeoutMs: childTimeoutMs,
  result: { resultChars: answerChars },
  disclosure: { workspaceAvailability: whyNobodyMayBeAsked },
  input: z.object({ agentName: AgentName, task: Task, inheritParentContext: InheritParentContext }),
  async execute({ agentName, task, inheritParentContext }, { delegation, signal, timeoutMs, progress, waitElsewhere = plainWait }) {
    const limits = { seconds: Math.ceil(timeoutMs / 1_000) };
    const child = await delegation.hand(agentName, { message: task, inheritParentContext, isAwaited: true, limits });
    const onChange = (run: Run) => progress(progressOf(run));
    return childResult(await waitElsewhere(() => delegation.awaitEnd(child.runId, { signal, onChange })));
  },
});
