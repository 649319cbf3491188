import type { TraceStep } from "@/contracts/decision";

/** What came of trying one rule on one call. */
export type Tried = {
  result: TraceStep["result"];
  /** Made for the steps that a trace has room for: of the rules for a tool most do not match, and nobody asks why. */
  why: () => string;
  /** The rule decides. Also one that could not be evaluated, when it denies or asks. */
  decides: boolean;
};
