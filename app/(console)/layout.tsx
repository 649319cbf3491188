import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryClient } from "@/components/kit/api/query-client";
import { changeCountQuery, pendingCountQuery } from "@/components/nouns/approvals/watch/pending-count-query";
import { Frame } from "@/components/pages/frame/frame";
import { listInbox } from "@/server/approvals/list-inbox";
import { requirePermission } from "@/server/auth/actor";
import { getMe } from "@/server/auth/get-me";
import { signedInActor } from "@/server/auth/page-actor";
import { listToolChanges } from "@/server/tools/pins/list-changes";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const actor = await signedInActor();
  const cache = queryClient();
  // Prefetches the number of pending approvals: the navigation must not change after the first paint.
  await Promise.all([
    cache.prefetchQuery({
      ...pendingCountQuery,
      queryFn: () => listInbox(requirePermission(actor, "approvals:read"), { status: "pending", limit: 1 }),
    }),
    cache.prefetchQuery({
      ...changeCountQuery,
      queryFn: () => listToolChanges(requirePermission(actor, "tools:read"), { status: "pending", limit: 1 }),
    }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <Frame me={await getMe(actor)}>{children}</Frame>
    </HydrationBoundary>
  );
}
