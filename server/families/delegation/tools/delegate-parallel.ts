import { z } from "zod";
import type { Run } from "@/contracts/runs/runs";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { toErrorMessage } from "@/server/platform/errors";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { whyNobodyMayBeAsked } from "../askable-agents";
import { answerChars, answerText, type TaskEnd, taskEnd } from "../child-result";
import { type DelegationCapability, delegation } from "../delegation-capability";
import { plainWait, progressOf } from "./delegate";
import { type ParallelTask, ParallelTasks, parseTasksJson } from "./parallel-tasks";

const batchTimeoutMs = 300_000;

type Ended = { task: ParallelTask; end: TaskEnd; text: string };

export const delegateParallel = defineTool({
  name: "delegate_parallel",
  title: "Hand tasks to several agents",
  description:
    "Hands up to 8 tasks to other agents at once and waits for all of them, 300 seconds at the most. Each agent works for itself; a slow or failing one does not hold up the others. The result has one section a task, in your order.",
  family: "delegation",
  tier: "core",
  effect: "write",
  approval: { effects: () => [actsInside("hands tasks to other agents")] },
  needs: [delegation],
  names: { aliases: ["delegateParallel"], parameterAliases: { tasks_json: "tasksJson" } },
  recovery: { idempotent: true },
  running: { concurrencySafe: true, backgroundable: true },
  timeoutMs: batchTimeoutMs,
  disclosure: { workspaceAvailability: whyNobodyMayBeAsked },
  input: z
    .object({
      tasks: ParallelTasks.optional().describe("The tasks"),
      tasksJson: z.string().max(1_000_000).optional().describe("The same as a text of JSON; send one of both"),
    })
    .superRefine(({ tasks, tasksJson }, context) => {
      const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (tasks === undefined && tasksJson === undefined) issue("tasks", "Send at least one task.");
      if (tasks !== undefined && tasksJson !== undefined) issue("tasksJson", "send tasks or tasksJson, not both");
      if (tasksJson === undefined) return;
      const parsed = parseTasksJson(tasksJson);
      if ("problem" in parsed) issue("tasksJson", parsed.problem);
    }),
  async execute({ tasks, tasksJson = "[]" }, { delegation, signal, timeoutMs, progress, waitElsewhere = plainWait }) {
    const parsed = tasks ? { tasks } : parseTasksJson(tasksJson);
    const all = "tasks" in parsed ? parsed.tasks : [];
    const limits = { seconds: Math.ceil(timeoutMs / 1_000) };
    const onChange = (run: Run) => progress(progressOf(run));
    const work = all.map((task, place) => ({ task, place, limits }));
    const ended = await waitElsewhere(() => Promise.all(work.map((one) => handOne(delegation, one, { signal, onChange }))));
    signal.throwIfAborted();
    const header = headerOf(ended);
    const sections = ended.map(sectionOf);
    return toolResult({
      text: [header, ...sections].join(""),
      sections: [header, ...sections],
      isError: ended.every(({ end }) => end === "error"),
    });
  },
});

type One = { task: ParallelTask; place: number; limits: { seconds: number } };
type Waiting = Parameters<DelegationCapability["awaitEnd"]>[1];

/** Hands one task of a batch over and waits for its end; a failure is a section of the result. */
async function handOne(delegation: DelegationCapability, { task, place, limits }: One, waiting: Waiting): Promise<Ended> {
  const { agentName, task: message, label, inheritParentContext } = task;
  try {
    const handing = { message, place, limits, inheritParentContext, isAwaited: true, ...(label ? { label } : {}) };
    const run = await delegation.awaitEnd((await delegation.hand(agentName, handing)).runId, waiting);
    return { task, end: taskEnd(run), text: answerText(run) };
  } catch (error) {
    return { task, end: waiting.signal.aborted ? "cancelled" : "error", text: toErrorMessage(error) };
  }
}

function headerOf(ended: readonly Ended[]): string {
  const count = (wanted: TaskEnd) => ended.filter(({ end }) => end === wanted).length;
  const counts = (["success", "blank_success", "timeout", "cancelled", "error"] as const).map((end) => `${end}=${count(end)}`);
  return `[PARALLEL_DELEGATION_RESULT] total=${ended.length} ${counts.join(" ")}\n`;
}

function sectionOf({ task: { agentName, label }, end, text }: Ended, index: number): string {
  const cut = text.length > answerChars ? `${text.slice(0, answerChars).toWellFormed()}\n[cut at ${answerChars} characters]` : text;
  return `\n## ${index + 1}. ${agentName}${label ? `: ${label}` : ""} (${end})\n${cut}\n`;
}
