import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { scheduleResource } from "@/components/nouns/schedules/queries";
import { SchedulesView } from "@/components/nouns/schedules/schedules-view";
import { pageActor } from "@/server/auth/page-actor";
import { listSchedules } from "@/server/families/schedules/list-schedules";

export const metadata: Metadata = { title: "Schedules" };

export default async function SchedulesPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...scheduleResource.list(), queryFn: () => listSchedules(actor, { limit: maxPageSize }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <SchedulesView />
    </HydrationBoundary>
  );
}
