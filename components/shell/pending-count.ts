"use client";

import { useQuery } from "@tanstack/react-query";
import { pendingCountQuery } from "./pending-count-query";

/** How many approvals wait; prefetched by the layout, kept current by the approvals' events. */
export function usePendingCount(): number {
  return useQuery(pendingCountQuery).data ?? 0;
}
