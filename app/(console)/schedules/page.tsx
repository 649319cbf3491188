import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/api/query-client";
import { mostSchedules, scheduleQueries } from "@/components/schedules/queries";
import { SchedulesView } from "@/components/schedules/schedules-view";
import { pageActor } from "@/server/auth/page-actor";
import { listSchedules } from "@/server/families/schedules/list-schedules";

export const metadata: Metadata = { title: "Schedules" };

export default async function SchedulesPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...scheduleQueries.list(), queryFn: () => listSchedules(actor, { limit: mostSchedules }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <SchedulesView />
    </HydrationBoundary>
  );
}
