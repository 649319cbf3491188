"use client";

import { NativeSelect, TagsInput, Textarea, TextInput } from "@mantine/core";
import { ResourceForm } from "@/components/kit/resources/resource-form";
import { useResource } from "@/components/kit/resources/use-resource";
import type { Contact } from "@/contracts/browser/messengers/contacts";
import { ContactDraft } from "@/contracts/messengers/contacts";
import { contactResource } from "./queries";

type ContactFormProps = {
  /** The edited contact; null for a new one. */
  contact: Contact | null;
  onSaved: (saved: Contact) => void;
  onCancel: () => void;
};

/** Name, state, notes and written addresses of a contact. */
export function ContactForm({ contact, onSaved, onCancel }: ContactFormProps) {
  const { save } = useResource(contactResource);
  const { name = "", reachableIds = [], status = "active", notes = "" } = contact ?? {};
  return (
    <ResourceForm
      submit={contact ? "Save" : "Add contact"}
      initialValues={{ name, reachableIds: [...reachableIds], status, notes }}
      parse={(fields) => ContactDraft.safeParse(fields)}
      save={(draft) => save(contact, draft)}
      onSaved={onSaved}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <TextInput label="Name" placeholder="Mei" maxLength={100} autoComplete="off" data-autofocus {...form.getInputProps("name")} />
          <NativeSelect
            label="State"
            data={[
              { value: "active", label: "Admitted: may write to agents" },
              { value: "inactive", label: "Not admitted: messages are refused" },
            ]}
            {...form.getInputProps("status")}
          />
          <TagsInput
            label="Addresses"
            description="tg:<number>, tg:@<username>, slack:<channel> or discord:<number>; those of messengers come by themselves"
            placeholder="tg:@mei_lin"
            {...form.getInputProps("reachableIds")}
          />
          <Textarea
            label="Notes"
            description="Agents that write to this person read them"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={10_000}
            {...form.getInputProps("notes")}
          />
        </>
      )}
    </ResourceForm>
  );
}
