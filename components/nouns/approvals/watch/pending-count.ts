"use client";

import { useQuery } from "@tanstack/react-query";
import { changeCountQuery, pendingCountQuery } from "./pending-count-query";

/** Returns the number of pending approvals and tool changes; the layout prefetches it, and events keep it current. */
export function usePendingCount(): number {
  const approvals = useQuery(pendingCountQuery).data ?? 0;
  return approvals + (useQuery(changeCountQuery).data ?? 0);
}
