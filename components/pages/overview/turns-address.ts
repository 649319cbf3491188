import type { OutcomeGroup } from "@/contracts/calls/call-outcomes";

type TurnsFilter = { from?: string; to?: string; tool?: string; agent?: string; outcome?: OutcomeGroup };

/** Returns the address of the list of turns with this filter. */
export function turnsAddress(filter: TurnsFilter): string {
  const search = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== undefined));
  return search.size > 0 ? `/turns?${search}` : "/turns";
}
