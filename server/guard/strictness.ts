import type { Verdict } from "@/contracts/decisions/decision";

/** The rank of each verdict by strictness, for comparing verdicts. */
export const strictness: Record<Verdict, number> = { allow: 0, require_approval: 1, deny: 2 };
