"use client";

import { useQuery } from "@tanstack/react-query";
import { sandboxQueries } from "./queries";

/** Returns whether the sandbox is on. Unknown counts as off, because the default policy then requires more approvals. */
export function useSandboxOn(): boolean {
  return useQuery(sandboxQueries.status()).data?.isOn ?? false;
}
