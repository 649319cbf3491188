import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decisions/decision";

/** Lists the rules that a decision could not evaluate, with reasons, for its audit row; empty when there are none. */
export function notEvaluated(decision: Pick<Decision, "trace"> | null): JsonObject {
  const steps = decision?.trace.filter(({ result }) => result === "could_not_evaluate") ?? [];
  return steps.length === 0 ? {} : { couldNotEvaluate: steps.map(({ ruleId, ruleName, why }) => ({ ruleId, ruleName, why })) };
}
