"use client";

import { IconAddressBook } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResource } from "@/components/kit/resources/use-resource";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { RowLine, SwitchRow } from "@/components/kit/ui/lists/switch-row";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import type { Contact } from "@/contracts/messengers/contacts";
import { LinkMyChat } from "./link-my-chat";
import { contactResource } from "./queries";

// Loaded after the page, because a drawer opens only on a click.
const ContactDrawer = dynamic(() => import("./contact-drawer").then((file) => file.ContactDrawer), { ssr: false });

/** People whom agents reach and to-dos mention. */
export function ContactsView() {
  const page = useResourcePage(contactResource, { title: "Contacts", address: "contact", permission: "contacts:write" });
  const { refresh } = useResource(contactResource);
  const { list, rows: contacts } = page;
  const addButton = <AddButton noun="contact" page={page} />;
  return (
    <>
      <PageHeader title="Contacts" description="People who write to agents, and whom agents and to-dos may name.">
        <LinkMyChat onDone={() => void refresh()} />
        {contacts.length > 0 ? addButton : null}
      </PageHeader>
      <Loaded query={list} what="the contacts" rows={3} height={3.5}>
        {() =>
          contacts.length === 0 ? (
            <EmptyState icon={IconAddressBook} title="No contacts yet" action={addButton}>
              People who write to a messenger become contacts. You can add them before they write.
            </EmptyState>
          ) : (
            <ul className={rows.rows} aria-label="Contacts">
              {contacts.map((contact) => (
                <ContactRow key={contact.id} contact={contact} onOpen={() => page.open(contact.id)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <ContactDrawer page={page} />
    </>
  );
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
      <RowLine text={places.join(", ") || "No address yet"} />
      {member ? <RowLine text={`Linked with ${member.name}`} /> : null}
    </SwitchRow>
  );
}
