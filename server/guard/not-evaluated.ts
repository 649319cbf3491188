import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decision";

/** Rules that could not be evaluated for a decision, each with why, for its audit row; nothing where there was none. */
export function notEvaluated(decision: Pick<Decision, "trace"> | null): JsonObject {
  const steps = decision?.trace.filter(({ result }) => result === "could_not_evaluate") ?? [];
  return steps.length === 0 ? {} : { couldNotEvaluate: steps.map(({ ruleId, ruleName, why }) => ({ ruleId, ruleName, why })) };
}
