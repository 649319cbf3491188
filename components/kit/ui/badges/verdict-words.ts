import type { Verdict } from "@/contracts/decisions/decision";

/** Display names of the guard's verdicts. */
export const verdictWords: Record<Verdict, string> = { allow: "Allow", deny: "Deny", require_approval: "Ask" };
