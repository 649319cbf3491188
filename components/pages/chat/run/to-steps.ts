import type { RunMessage } from "@/contracts/runs/runs";

/** One reply of the model with the results of its calls. */
export type Step = {
  reply: RunMessage;
  results: RunMessage[];
  /** Summaries of older messages and news of jobs, which the model read before it replied. */
  notes: RunMessage[];
};

/** Returns the message of the person and the steps after it. */
export function toSteps(messages: readonly RunMessage[]): { asked: RunMessage | null; steps: Step[] } {
  const steps: Step[] = [];
  let asked: RunMessage | null = null;
  let notes: RunMessage[] = [];
  for (const message of messages) {
    switch (message.role) {
      case "user":
        asked ??= message;
        break;
      case "summary":
      case "note":
        notes.push(message);
        break;
      case "assistant":
        steps.push({ reply: message, results: [], notes });
        notes = [];
        break;
      case "tool":
        steps.at(-1)?.results.push(message);
        break;
    }
  }
  return { asked, steps };
}

/**
 * Returns the turn of a step's calls: the one of its results, else the run's last turn unless that belongs to an earlier step.
 * Null until the run names the turn.
 */
export function turnOf(steps: readonly Step[], place: number, runTurnId: string | null): string | null {
  const own = steps[place]?.results.find(({ turnId }) => turnId !== null)?.turnId;
  if (own) return own;
  if (place !== steps.length - 1 || runTurnId === null) return null;
  const isEarlier = steps.some(({ results }) => results.some(({ turnId }) => turnId === runTurnId));
  return isEarlier ? null : runTurnId;
}
