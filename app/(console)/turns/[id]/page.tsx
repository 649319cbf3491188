import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { queryClient } from "@/components/api/query-client";
import { toolQueries } from "@/components/tools/queries";
import { turnQueries } from "@/components/turns/queries";
import { TurnView } from "@/components/turns/turn-view";
import { Id } from "@/contracts/common";
import { demand } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { isAppError } from "@/server/platform/errors";
import { listTools } from "@/server/tools/list-tools";
import { getTurn } from "@/server/turns/load-turn";

export const metadata: Metadata = { title: "Turn" };

export default async function TurnPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await pageActor("turns:read");
  const { id } = await params;
  if (!Id.safeParse(id).success) notFound();
  const turn = await getTurn(actor, id).catch((error: unknown) => {
    if (isAppError(error) && error.code === "not_found") notFound();
    throw error;
  });
  const cache = queryClient();
  await cache.prefetchQuery({
    ...toolQueries.list(),
    queryFn: async () => (await listTools(demand(actor, "tools:read"), { limit: Number.MAX_SAFE_INTEGER })).items,
  });
  cache.setQueryData(turnQueries.one(id).queryKey, turn);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <TurnView id={id} />
    </HydrationBoundary>
  );
}
