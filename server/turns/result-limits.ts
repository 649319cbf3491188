import { resultChars, turnChars } from "@/contracts/tools/result-settings";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import type { TurnContext } from "./turn-context";

/** Maximum characters of a result and of all results of its turn, and the tool that reads the rest of a cut result. */
export type ResultLimits = { maxCharsPerResult: number; maxCharsPerTurn: number; readTool: string | null };

export const defaultLimits: ResultLimits = {
  maxCharsPerResult: resultChars.default,
  maxCharsPerTurn: turnChars.default,
  readTool: null,
};

/** Returns the limits of a tool's results: its own, or else those of the workspace. */
export function findResultLimits({ results, agent }: Pick<TurnContext, "results" | "agent">, tool: RegisteredTool): ResultLimits {
  const { maxCharsPerResult, maxCharsPerTurn } = results;
  return { maxCharsPerResult: tool.effectiveResultLimit ?? maxCharsPerResult, maxCharsPerTurn, readTool: agent.artifactReader };
}
