import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { queryClient } from "@/components/kit/api/query-client";
import { runQueries } from "@/components/nouns/runs/queries";
import { RunView } from "@/components/pages/run/run-view";
import { Id } from "@/contracts/common";
import { pageActor } from "@/server/auth/page-actor";
import { isAppError } from "@/server/platform/errors";
import { getRun } from "@/server/runs/read/load-run";

export const metadata: Metadata = { title: "Run" };

export default async function RunPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await pageActor("turns:read");
  const { id } = await params;
  if (!Id.safeParse(id).success) notFound();
  const run = await getRun(actor, id).catch((error: unknown) => {
    if (isAppError(error) && error.code === "not_found") notFound();
    throw error;
  });
  const cache = queryClient();
  cache.setQueryData(runQueries.one(id).queryKey, run);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <RunView key={id} id={id} />
    </HydrationBoundary>
  );
}
