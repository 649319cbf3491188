import { useSyncExternalStore } from "react";
import { call } from "@/components/kit/api/call";
import { approvalEndpoints, type InboxRow } from "@/contracts/browser/approvals/approvals";

const none: readonly InboxRow[] = [];
let offered = none;
const listeners = new Set<() => void>();

function offer(rows: readonly InboxRow[]) {
  offered = rows;
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns pending calls that would run without approval if they were submitted now. */
export function useCoveredApprovals(): readonly InboxRow[] {
  return useSyncExternalStore(
    subscribe,
    () => offered,
    () => none,
  );
}

export const dismissCovered = () => offer(none);

/** Finds pending calls that the guard allows after a new rule or grant, and offers to approve them together. */
export async function offerCovered(): Promise<void> {
  try {
    const { items } = await call(approvalEndpoints.allowedNow);
    offer(items.filter(({ mayDecide }) => mayDecide.isAllowed));
  } catch {
    // Errors are ignored, because the offer is optional and the calls stay in the inbox.
    offer(none);
  }
}
