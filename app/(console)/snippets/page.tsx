import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { snippetQueries } from "@/components/nouns/snippets/queries";
import { SnippetsView } from "@/components/nouns/snippets/snippets-view";
import { pageActor } from "@/server/auth/page-actor";
import { snippets } from "@/server/families/snippets/snippets";

export const metadata: Metadata = { title: "Snippets" };

export default async function SnippetsPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...snippetQueries.list(), queryFn: () => snippets.list({ actor, query: {} }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <SnippetsView />
    </HydrationBoundary>
  );
}
