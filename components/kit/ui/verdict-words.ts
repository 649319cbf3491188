import type { Verdict } from "@/contracts/decision";

/** Display names of the guard's verdicts. */
export const verdictWords: Record<Verdict, string> = { allow: "Allow", deny: "Deny", require_approval: "Ask" };
