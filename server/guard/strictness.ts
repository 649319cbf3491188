import type { Verdict } from "@/contracts/decision";

/** How strict a verdict is, for comparing two. */
export const strictness: Record<Verdict, number> = { allow: 0, require_approval: 1, deny: 2 };
