import type { TraceStep } from "@/contracts/decisions/decision";

/** The result of one rule on one call. */
export type RuleResult = {
  result: TraceStep["result"];
  /** Builds the sentence on demand, because most rules do not match and a trace has room for few steps. */
  why: () => string;
  /** Whether the rule decides the call; true also for an unevaluable rule that denies or asks. */
  decides: boolean;
};
