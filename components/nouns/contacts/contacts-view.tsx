"use client";

import { Select } from "@mantine/core";
import { IconAddressBook } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResource } from "@/components/kit/resources/use-resource";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { FilterBar, filterFields } from "@/components/kit/ui/filters/filter-bar";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { RowLine, SwitchRow } from "@/components/kit/ui/lists/switch-row";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { type Contact, contactStatuses } from "@/contracts/browser/messengers/contacts";
import { LinkMyChat } from "./link-my-chat";
import { contactQueries, contactResource } from "./queries";

// Loaded after the page, because a drawer opens only on a click.
const ContactDrawer = dynamic(() => import("./contact-drawer").then((file) => file.ContactDrawer), { ssr: false });

const statusWords = { active: "Admitted", inactive: "Not admitted" } as const;

/** People whom agents reach and to-dos mention. */
export function ContactsView() {
  const [query, setQuery] = useQueryState("q", parseAsString.withDefault(""));
  const [status, setStatus] = useQueryState("status", parseAsStringLiteral(contactStatuses));
  const found = useInfiniteQuery(contactQueries.list({ ...(query ? { query } : {}), ...(status ? { status } : {}) }));
  const { refresh } = useResource(contactResource);
  const page = useContactsPage(found.data?.pages.flatMap(({ items }) => items) ?? []);
  const addButton = <AddButton noun="contact" page={page} />;
  const isFiltered = query !== "" || status !== null;
  return (
    <>
      <PageHeader title="Contacts" description="People who write to agents, and whom agents and to-dos may name.">
        <LinkMyChat onDone={() => void refresh()} />
        {page.rows.length > 0 || isFiltered ? addButton : null}
      </PageHeader>
      <FilterBar label="Filter contacts">
        <SearchField
          placeholder="Name, notes or address"
          value={query}
          onChange={(text) => void setQuery(text || null)}
          className={filterFields.search}
        />
        <Select
          className={filterFields.choice}
          aria-label="State"
          placeholder="Any state"
          clearable
          data={contactStatuses.map((value) => ({ value, label: statusWords[value] }))}
          value={status}
          onChange={(value) => void setStatus(contactStatuses.find((one) => one === value) ?? null)}
        />
      </FilterBar>
      <PagedList
        query={found}
        items="contacts"
        skeletons={{ rows: 3, height: 3.5 }}
        empty={
          isFiltered ? (
            <EmptyState icon={IconAddressBook} title="No matching contacts">
              Clear a filter to see more.
            </EmptyState>
          ) : (
            <EmptyState icon={IconAddressBook} title="No contacts yet" action={addButton}>
              People who write to a messenger become contacts. You can add them before they write.
            </EmptyState>
          )
        }
      >
        {(contacts) => (
          <ul className={rows.rows} aria-label="Contacts">
            {contacts.map((contact) => (
              <ContactRow key={contact.id} contact={contact} onOpen={() => page.open(contact.id)} />
            ))}
          </ul>
        )}
      </PagedList>
      <ContactDrawer page={page} />
    </>
  );
}

/** The state of the page. The address may name a contact of a page of the list that was not read. */
function useContactsPage(read: readonly Contact[]) {
  const page = useResourcePage(contactResource, {
    ...{ title: "Contacts", address: "contact", permission: "contacts:write" },
    readsRows: false,
  });
  const isRead = page.id === null || page.id === "new" || read.some(({ id }) => id === page.id);
  const one = useQuery({ ...contactQueries.one(page.id ?? ""), enabled: !isRead });
  return { ...page, list: { isPending: one.isFetching }, rows: one.data && !isRead ? [...read, one.data] : [...read] };
}

function ContactRow({ contact, onOpen }: { contact: Contact; onOpen: () => void }) {
  const { id, name, status, member, addresses, reachableIds, lastUsedAt } = contact;
  const places = [...addresses.map(({ messenger, name: there, address }) => `${messenger}: ${there || address}`), ...reachableIds];
  return (
    <SwitchRow
      name={name}
      enabled={status === "active"}
      href={`?contact=${id}`}
      aside={
        <>
          {status === "inactive" ? <StatusBadge tone="unavailable">Not admitted</StatusBadge> : null}
          {lastUsedAt ? <RelativeTime at={lastUsedAt} /> : null}
        </>
      }
      onOpen={onOpen}
    >
      <RowLine text={places.join(", ") || (lastUsedAt ? "No address any more" : "No address yet")} />
      {member ? <RowLine text={`Linked with ${member.name}`} /> : null}
    </SwitchRow>
  );
}
