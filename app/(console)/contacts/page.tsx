import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { longestPage } from "@/components/kit/api/longest-page";
import { queryClient } from "@/components/kit/api/query-client";
import { ContactsView } from "@/components/nouns/contacts/contacts-view";
import { contactResource } from "@/components/nouns/contacts/queries";
import { pageActor } from "@/server/auth/page-actor";
import { contacts } from "@/server/contacts/contacts";

export const metadata: Metadata = { title: "Contacts" };

export default async function ContactsPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...contactResource.list(), queryFn: () => contacts.list({ actor, query: { limit: longestPage } }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <ContactsView />
    </HydrationBoundary>
  );
}
