"use client";

import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/disabled-reason";
import { ErrorState } from "@/components/kit/ui/error-state";
import { RevealedText } from "@/components/kit/ui/revealed-text";
import shared from "@/components/kit/ui/shared.module.css";
import { todoQueries } from "./queries";
import classes from "./todos.module.css";
import { useChangeTodos } from "./use-change-todos";

/** People whom to-dos may mention, with their addresses. */
export function ContactsSection() {
  const { data, error, refetch, isRefetching } = useQuery(todoQueries.contacts());
  const refusal = useRefusal("todos:write");
  const { addContact, removeContact } = useChangeTodos();
  const [name, setName] = useState("");
  const [addresses, setAddresses] = useState("");
  const submit = () => {
    const reachableIds = addresses.split(/[\s,]+/).filter((address) => address !== "");
    addContact.mutate(
      { name: name.trim(), reachableIds },
      {
        onSuccess: () => {
          setName("");
          setAddresses("");
        },
      },
    );
  };
  return (
    <section className={shared.apart} aria-labelledby="contacts-heading">
      <h2 className={shared.sectionHeading} id="contacts-heading">
        Contacts
      </h2>
      <p className={classes.hint}>Agents can mention only these addresses.</p>
      <form
        className={classes.add}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") submit();
        }}
      >
        <TextInput
          aria-label="Name of the contact"
          placeholder="Mei"
          maxLength={100}
          value={name}
          disabled={refusal !== null}
          error={addContact.error ? toErrorSentence(addContact.error) : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          aria-label="Addresses of the contact"
          placeholder="tg:@mei_lin, slack:C024BE91L"
          value={addresses}
          disabled={refusal !== null}
          onChange={(event) => setAddresses(event.currentTarget.value)}
        />
        <DisabledReason reason={refusal}>
          <Button type="submit" variant="default" loading={addContact.isPending} disabled={refusal !== null || name.trim() === ""}>
            Add contact
          </Button>
        </DisabledReason>
      </form>
      {!data && error ? <ErrorState error={error} what="the contacts" retry={() => void refetch()} retrying={isRefetching} /> : null}
      {data && data.items.length > 0 ? (
        <ul className={classes.items} aria-label="Contacts">
          {data.items.map((contact) => (
            <li key={contact.id} className={`${classes.item} ${classes.bare}`}>
              <div className={shared.fluid}>
                <RevealedText text={contact.name} />
                <div className={classes.about}>{contact.reachableIds.join(", ") || "no address"}</div>
              </div>
              <DisabledReason reason={refusal}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${contact.name}`}
                  disabled={refusal !== null}
                  onClick={() => removeContact.mutate(contact.id)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </DisabledReason>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
