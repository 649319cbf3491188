import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryClient } from "@/components/api/query-client";
import { pendingCountQuery } from "@/components/shell/pending-count-query";
import { Shell } from "@/components/shell/shell";
import { listApprovals } from "@/server/approvals/list-approvals";
import { demand } from "@/server/auth/actor";
import { getMe } from "@/server/auth/get-me";
import { signedInActor } from "@/server/auth/page-actor";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const actor = await signedInActor();
  const cache = queryClient();
  // The number stands in the navigation from the first paint, so that nothing jumps.
  await cache.prefetchQuery({
    ...pendingCountQuery,
    queryFn: () => listApprovals(demand(actor, "approvals:read"), { status: "pending", limit: 1 }),
  });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <Shell me={await getMe(actor)}>{children}</Shell>
    </HydrationBoundary>
  );
}
