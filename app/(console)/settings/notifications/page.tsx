import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { NotificationsView } from "@/components/nouns/notifications/notifications-view";
import { notificationQueries } from "@/components/nouns/notifications/queries";
import { pageActor } from "@/server/auth/page-actor";
import { getNotificationSettings } from "@/server/families/notifications/notification-settings";
import { listPushDevices } from "@/server/families/notifications/push-devices";

export const metadata: Metadata = { title: "Notifications" };

export default async function NotificationsPage() {
  const actor = await pageActor("approvals:read");
  const cache = queryClient();
  await Promise.all([
    cache.prefetchQuery({ ...notificationQueries.settings(), queryFn: () => getNotificationSettings(actor) }),
    cache.prefetchQuery({ ...notificationQueries.devices(), queryFn: () => listPushDevices(actor, { limit: maxPageSize }) }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <NotificationsView />
    </HydrationBoundary>
  );
}
