import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { topicQueries } from "@/components/nouns/topics/queries";
import { TopicsView } from "@/components/nouns/topics/topics-view";
import { pageActor } from "@/server/auth/page-actor";
import { listTopics } from "@/server/families/topics/manage-topics";

export const metadata: Metadata = { title: "Topics" };

export default async function TopicsPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...topicQueries.list(), queryFn: () => listTopics(actor) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <TopicsView />
    </HydrationBoundary>
  );
}
