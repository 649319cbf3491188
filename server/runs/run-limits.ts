import type { AgentRunLimits, RunLimitName, RunLimits } from "@/contracts/runs/runs";
import type { RunRow } from "./run-row";

type Asked = { [Name in keyof RunLimits]?: RunLimits[Name] | undefined };

/** Returns the limits of a run: the agent's own, or lower ones that the request asks for. */
export function lowerLimits({ steps, tokens, costUsd, seconds, contextTokens }: AgentRunLimits, asked: Asked = {}): RunLimits {
  return {
    steps: Math.min(steps, asked.steps ?? steps),
    tokens: Math.min(tokens, asked.tokens ?? tokens),
    costUsd: costUsd === null ? (asked.costUsd ?? null) : Math.min(costUsd, asked.costUsd ?? costUsd),
    seconds: Math.min(seconds, asked.seconds ?? seconds),
    contextTokens,
  };
}

type Spent = Pick<RunRow, "limits" | "inputTokens" | "outputTokens" | "costUsd" | "isCostKnown">;

/** Returns the limit after which no further request may be sent; null while there is room. */
export function spentLimit({ limits, inputTokens, outputTokens, costUsd, isCostKnown }: Spent): "tokens" | "cost" | null {
  if (inputTokens + outputTokens >= limits.tokens) return "tokens";
  // A fallback without prices could cost anything.
  return limits.costUsd !== null && (!isCostKnown || costUsd >= limits.costUsd) ? "cost" : null;
}

/** Says which limit ended a run, for the user. */
export function limitSentence(limit: RunLimitName, { limits, isCostKnown }: Pick<RunRow, "limits" | "isCostKnown">): string {
  switch (limit) {
    case "steps":
      return `The run ended at its limit of ${limits.steps} ${limits.steps === 1 ? "step" : "steps"}. Its work may be incomplete.`;
    case "tokens":
      return `The run ended at its limit of ${limits.tokens} tokens. Its work may be incomplete.`;
    case "cost":
      return isCostKnown
        ? `The run ended at its limit of $${limits.costUsd}. Its work may be incomplete.`
        : `The run ended because a model without prices answered, and its cost is limited to $${limits.costUsd}. Its work may be incomplete.`;
    case "time":
      return `The run ended at its limit of ${limits.seconds} seconds. Its work may be incomplete.`;
    case "output":
      return "The model's reply was cut off at the model's own limit of output. The answer is incomplete.";
    case "loop":
      return "The run ended because the same call gave the same result again and again. Its work may be incomplete.";
    case "reply":
      return "The run ended because the model gave no whole reply, though it was asked again. Its work may be incomplete.";
  }
}

/** Sentence for the model with its last request at a limit. It is not stored. */
export const lastRequest =
  "You cannot call tools any more. Answer now: say what you have done, what you found, and what is not done or not certain.";
