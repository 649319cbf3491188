import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { ContactsView } from "@/components/nouns/contacts/contacts-view";
import { contactPageSize, contactQueries } from "@/components/nouns/contacts/queries";
import { pageActor } from "@/server/auth/page-actor";
import { listContacts } from "@/server/contacts/list-contacts";

export const metadata: Metadata = { title: "Contacts" };

export default async function ContactsPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchInfiniteQuery({ ...contactQueries.list({}), queryFn: () => listContacts(actor, { limit: contactPageSize }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <ContactsView />
    </HydrationBoundary>
  );
}
