import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { ChannelsView } from "@/components/nouns/channels/channels-view";
import { channelQueries } from "@/components/nouns/channels/queries";
import { pageActor } from "@/server/auth/page-actor";
import { listChannels } from "@/server/families/channels/manage-channels";

export const metadata: Metadata = { title: "Channels" };

export default async function ChannelsPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...channelQueries.list(), queryFn: () => listChannels(actor) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <ChannelsView />
    </HydrationBoundary>
  );
}
