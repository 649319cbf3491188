"use client";

import { NativeSelect, TagsInput } from "@mantine/core";
import { NameField } from "@/components/kit/resources/resource-fields";
import { ResourceForm } from "@/components/kit/resources/resource-form";
import { useResource } from "@/components/kit/resources/use-resource";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
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
          <NameField form={form} placeholder="Mei" />
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
          <AutosizeTextarea
            label="Notes"
            description="Agents that write to this person read them"
            rows={[2, 8]}
            maxLength={10_000}
            {...form.getInputProps("notes")}
          />
        </>
      )}
    </ResourceForm>
  );
}
