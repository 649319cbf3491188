import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { KnowledgeView } from "@/components/nouns/knowledge/knowledge-view";
import { baseResource } from "@/components/nouns/knowledge/queries";
import { pageActor } from "@/server/auth/page-actor";
import { listBases } from "@/server/families/knowledge/manage-bases";
import { findLinkedPage } from "@/server/families/knowledge/pages/manage-pages";

export const metadata: Metadata = { title: "Knowledge" };

type Search = { searchParams: Promise<{ slug?: string | string[] }> };

export default async function KnowledgePage({ searchParams }: Search) {
  const actor = await pageActor("knowledge:read");
  const { slug } = await searchParams;
  // A link of an answer names a page by its slug alone, or by its base and slug.
  const linked = typeof slug === "string" ? await findLinkedPage(actor, slug) : null;
  if (linked) redirect(`/knowledge/${linked.baseId}?view=pages&page=${linked.id}`);
  const cache = queryClient();
  await cache.prefetchQuery({ ...baseResource.list(), queryFn: () => listBases(actor, { limit: maxPageSize }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <KnowledgeView />
    </HydrationBoundary>
  );
}
