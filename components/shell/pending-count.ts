"use client";

import { useQuery } from "@tanstack/react-query";
import { pendingCountQuery } from "./pending-count-query";

/** Returns the number of pending approvals; the layout prefetches it, and events keep it current. */
export function usePendingCount(): number {
  return useQuery(pendingCountQuery).data ?? 0;
}
