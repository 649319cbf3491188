import type { WorkflowPlan } from "@/contracts/automation/workflows";
import type { StepRow } from "./present-workflow";

type Ended = Pick<StepRow, "round" | "position" | "name" | "status" | "answer" | "error">;
export type StepStart = { round: number; position: number; name: string; agentId: string; prompt: string };

/** What comes next in a run of a workflow. */
export type Move =
  | { kind: "start"; steps: StepStart[] }
  | { kind: "wait" }
  | { kind: "end"; status: "succeeded" | "failed"; answer: string | null; error: string | null };

const maxFilledChars = 50_000;

/** Decides what comes next, from the plan and the steps that there are. Pure: the same rows give the same move. */
export function nextMove(plan: WorkflowPlan, input: string, steps: readonly Ended[]): Move {
  if (steps.some(({ status }) => status === "running")) return { kind: "wait" };
  const failed = steps.find(({ status }) => status === "failed" || status === "cancelled");
  if (failed) return end("failed", lastAnswer(steps), `The step "${failed.name}" ${failed.status}: ${failed.error ?? "it was cancelled."}`);
  return plan.kind === "parallel" ? nextOfParallel(plan, input, steps) : nextOfSequence(plan, input, steps);
}

function nextOfParallel(plan: WorkflowPlan, input: string, steps: readonly Ended[]): Move {
  if (steps.length === 0)
    return { kind: "start", steps: plan.steps.map((_, position) => startOf(plan, input, [], { round: 0, position })) };
  const inOrder = steps.toSorted((one, other) => one.position - other.position);
  return end("succeeded", inOrder.map(({ name, answer }) => `${name}:\n${answer ?? ""}`).join("\n\n"));
}

function nextOfSequence(plan: WorkflowPlan, input: string, steps: readonly Ended[]): Move {
  const last = inTurn(steps).at(-1);
  if (!last) return { kind: "start", steps: [startOf(plan, input, steps, { round: 0, position: 0 })] };
  const { round, position } = last;
  if (position + 1 < plan.steps.length) {
    return { kind: "start", steps: [startOf(plan, input, steps, { round, position: position + 1 })] };
  }
  const rounds = plan.kind === "loop" ? plan.maxRounds : 1;
  const hasStopped = plan.stopText !== "" && (last.answer ?? "").toLowerCase().includes(plan.stopText.toLowerCase());
  if (round + 1 >= rounds || hasStopped) return end("succeeded", last.answer);
  return { kind: "start", steps: [startOf(plan, input, steps, { round: round + 1, position: 0 })] };
}

function startOf(plan: WorkflowPlan, input: string, steps: readonly Ended[], place: { round: number; position: number }): StepStart {
  const step = plan.steps[place.position];
  if (!step) throw new Error("A workflow's plan has no step at this place");
  return { ...place, name: step.name, agentId: step.agentId, prompt: fill(step.prompt, input, steps) };
}

/** Fills a prompt in one pass, so that an answer that holds `{input}` stays as it is. */
function fill(prompt: string, input: string, steps: readonly Ended[]): string {
  const earlier = inTurn(steps);
  return prompt.replaceAll(/\{(input|previous|step:([A-Za-z0-9][A-Za-z0-9 _-]{0,63}))\}/g, (_, what: string, name?: string) => {
    if (what === "input") return input;
    const found = what === "previous" ? earlier.at(-1) : earlier.findLast((step) => step.name === name);
    return (found?.answer ?? "").slice(0, maxFilledChars);
  });
}

const inTurn = (steps: readonly Ended[]) => steps.toSorted((one, other) => one.round - other.round || one.position - other.position);
const lastAnswer = (steps: readonly Ended[]) => inTurn(steps).findLast(({ answer }) => answer !== null)?.answer ?? null;
const end = (status: "succeeded" | "failed", answer: string | null, error: string | null = null): Move => ({
  kind: "end",
  status,
  answer,
  error,
});
