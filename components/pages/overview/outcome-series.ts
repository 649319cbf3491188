import { type OutcomeGroup, outcomeGroups } from "@/contracts/browser/calls/call-outcomes";
import { findOutcomeGroup } from "@/contracts/calls/call-outcomes";
import type { CallStatus } from "@/contracts/calls/call-statuses";
import type { Overview } from "@/contracts/operations/overview";

/** Word and colour of each outcome, the same in bars, legends and lists; no two outcomes share a colour. */
export const outcomeWords: Record<OutcomeGroup, { word: string; colour: string }> = {
  succeeded: { word: "Succeeded", colour: "var(--hr-chart-succeeded)" },
  failed: { word: "Failed", colour: "var(--hr-chart-failed)" },
  denied: { word: "Denied", colour: "var(--hr-chart-denied)" },
  cancelled: { word: "Cancelled", colour: "var(--hr-chart-cancelled)" },
  open: { word: "Not finished", colour: "var(--hr-chart-open)" },
};

type ByStatus = Overview["calls"]["byStatus"];

/** Counts calls by outcome, with 0 for absent outcomes. */
export function countsByOutcome(byStatus: ByStatus): Record<OutcomeGroup, number> {
  const counts: Record<OutcomeGroup, number> = { succeeded: 0, failed: 0, denied: 0, cancelled: 0, open: 0 };
  for (const [status, count] of Object.entries(byStatus)) counts[findOutcomeGroup(status as CallStatus)] += count ?? 0;
  return counts;
}

/** Returns the outcomes with at least one call, always in the same order. */
export function outcomesIn(byStatus: ByStatus): { outcome: OutcomeGroup; count: number }[] {
  const counts = countsByOutcome(byStatus);
  return outcomeGroups.map((outcome) => ({ outcome, count: counts[outcome] })).filter(({ count }) => count > 0);
}
