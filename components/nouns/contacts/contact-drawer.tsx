"use client";

import { Button } from "@mantine/core";
import { IconEraser, IconLinkOff, IconPencil, IconTrash, IconUserOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { ResourceDrawer } from "@/components/kit/resources/resource-drawer";
import type { ResourcePage } from "@/components/kit/resources/use-resource-page";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { Facts } from "@/components/kit/ui/page/facts";
import { Part } from "@/components/kit/ui/page/part";
import shared from "@/components/kit/ui/shared.module.css";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { type Contact, type ContactAddress, contactEndpoints } from "@/contracts/browser/messengers/contacts";
import { platformFacts } from "@/contracts/browser/messengers/messenger-platforms";

const loadForm = () => import("./contact-form");
const ContactForm = dynamic(() => loadForm().then((file) => file.ContactForm), { ssr: false, loading: FormSkeleton });

// Loaded later, because few people erase.
const ErasePerson = dynamic(() => import("@/components/nouns/erasures/erase-person").then((file) => file.ErasePerson), { ssr: false });

/** Details of a contact, or its form. */
export function ContactDrawer({ page }: { page: ResourcePage<Contact> }) {
  return (
    <ResourceDrawer
      noun="contact"
      page={page}
      missingIcon={IconUserOff}
      loadForm={loadForm}
      form={(contact, leave) => (
        <ContactForm contact={contact} onSaved={() => (contact ? page.edit(false) : page.close())} onCancel={leave} />
      )}
      details={(contact) => <Details contact={contact} page={page} />}
    />
  );
}

function Details({ contact, page }: { contact: Contact; page: ResourcePage<Contact> }) {
  const { id, status, notes, member, addresses, reachableIds, lastUsedAt, createdAt } = contact;
  const unlink = useMutation({ mutationFn: () => call(contactEndpoints.unlink, { params: { id } }), onSettled: page.refresh });
  const isRefused = page.refusal !== null;
  const eraseRefusal = useRefusal("people:erase");
  const [erasing, setErasing] = useState(false);
  return (
    <div className={shared.story}>
      <DisabledReason reason={page.refusal}>
        <div className={shared.bar}>
          <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} disabled={isRefused} onClick={() => page.edit(true)}>
            Edit
          </Button>
          {member ? (
            <Button
              variant="default"
              leftSection={<IconLinkOff size={16} aria-hidden />}
              disabled={isRefused}
              loading={unlink.isPending}
              onClick={() => unlink.mutate()}
            >
              End the link
            </Button>
          ) : null}
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            disabled={isRefused}
            onClick={() => page.confirmRemoval(contact, "The addresses go with the contact. Conversations stay.", page.close)}
          >
            Remove
          </Button>
        </div>
      </DisabledReason>
      <div className={shared.bar}>
        <RefusableButton
          refusal={eraseRefusal}
          variant="default"
          leftSection={<IconEraser size={16} aria-hidden />}
          onClick={() => setErasing(true)}
        >
          Export or erase data
        </RefusableButton>
      </div>
      {erasing ? (
        <ErasePerson
          person={{ kind: "contact", personId: id }}
          name={contact.name}
          opened
          onClose={() => setErasing(false)}
          onErased={() => {
            page.close();
            void page.refresh();
          }}
        />
      ) : null}
      <Facts
        facts={[
          ["State", status === "active" ? "Admitted" : "Not admitted: messages are refused"],
          ["Member", member ? <RevealedText key="member" text={member.name} /> : "Not linked"],
          [
            "Notes",
            notes ? (
              <span key="notes" className={shared.typed}>
                <RevealedText text={notes} />
              </span>
            ) : null,
          ],
          ["Other addresses", reachableIds.length > 0 ? reachableIds.join(", ") : null],
          ["Last wrote", lastUsedAt ? <RelativeTime key="used" at={lastUsedAt} /> : null],
          ["Added", <RelativeTime key="added" at={createdAt} />],
          ["Id", <ShortId key="id" id={id} what="id of the contact" />],
        ]}
      />
      <Part heading="Addresses">
        {addresses.length > 0 ? null : (
          <p className={shared.note}>
            {lastUsedAt
              ? "This person has no address any more, because the address or its messenger was removed."
              : "This person has not written on a messenger yet."}
          </p>
        )}
        <ul className={shared.stack}>
          {addresses.map((address) => (
            <Address key={address.id} address={address} />
          ))}
        </ul>
      </Part>
    </div>
  );
}

function Address({ address: { messenger, platform, address, name, isReachable } }: { address: ContactAddress }) {
  return (
    <li>
      <RevealedText text={`${messenger} (${platformFacts[platform].title}): ${name ? `${name}, ` : ""}${address}`} />
      <div className={shared.dim}>
        {isReachable ? "Agents may write privately" : "Agents cannot write before this person has written privately"}
      </div>
    </li>
  );
}
