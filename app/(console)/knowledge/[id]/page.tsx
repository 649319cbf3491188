import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { BaseView } from "@/components/nouns/knowledge/base-view";
import { knowledgeQueries } from "@/components/nouns/knowledge/queries";
import { Id } from "@/contracts/common";
import { pageActor } from "@/server/auth/page-actor";
import { getBase } from "@/server/families/knowledge/manage-bases";
import { listSources } from "@/server/families/knowledge/sources/manage-sources";
import { isAppError } from "@/server/platform/errors";

export const metadata: Metadata = { title: "Knowledge base" };

export default async function KnowledgeBasePage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await pageActor("knowledge:read");
  const { id } = await params;
  if (!Id.safeParse(id).success) notFound();
  const base = await getBase(actor, id).catch((error: unknown) => {
    if (isAppError(error) && error.code === "not_found") notFound();
    throw error;
  });
  const cache = queryClient();
  cache.setQueryData(knowledgeQueries.base(id).queryKey, base);
  await cache.prefetchInfiniteQuery({ ...knowledgeQueries.sources(id), queryFn: () => listSources(actor, id, { limit: maxPageSize }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <BaseView key={id} id={id} />
    </HydrationBoundary>
  );
}
