"use client";

import { Checkbox, TextInput } from "@mantine/core";
import { EnabledField, NameField } from "@/components/kit/resources/resource-fields";
import { ResourceForm } from "@/components/kit/resources/resource-form";
import { useResource } from "@/components/kit/resources/use-resource";
import { urlInputProps } from "@/components/kit/ui/forms/code-input-props";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import type { SubscribedEventName, Webhook, WebhookWithSecret } from "@/contracts/browser/hooks/webhooks";
import { WebhookDraft } from "@/contracts/hooks/webhooks";
import { eventChoices } from "./event-words";
import { webhookResource } from "./queries";

type WebhookFormProps = {
  /** The edited webhook; null for a new one. */
  webhook: Webhook | null;
  onSaved: (saved: Webhook | WebhookWithSecret) => void;
  onCancel: () => void;
};

/** Settings of a webhook: address and events. */
export function WebhookForm({ webhook, onSaved, onCancel }: WebhookFormProps) {
  const { save } = useResource(webhookResource);
  const { name = "", url = "", events = ["turn.finished"], enabled = true } = webhook ?? {};
  return (
    <ResourceForm
      submit={webhook ? "Save" : "Add webhook"}
      initialValues={{ name, url, events: knownAmong(events), enabled }}
      parse={(fields) => WebhookDraft.safeParse(fields)}
      save={(draft) => save(webhook, draft)}
      onSaved={onSaved}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <NameField form={form} description="The receiving system" placeholder="Support desk" />
          <TextInput
            label="URL"
            description="Takes a POST and answers 2xx within 10 s. Redirects are not followed."
            placeholder="https://example.com/hooks/handrail"
            {...urlInputProps}
            {...form.getInputProps("url")}
          />
          <Checkbox.Group
            label="Events"
            value={form.values.events}
            onChange={(chosen) => form.setFieldValue("events", knownAmong(chosen))}
            error={form.errors.events}
          >
            <div className={shared.stack}>
              {eventChoices.map(({ event, label, explanation }) => (
                <Checkbox
                  key={event}
                  value={event}
                  label={
                    <>
                      {label} <CodeText dim>{event}</CodeText>
                    </>
                  }
                  description={explanation}
                />
              ))}
            </div>
          </Checkbox.Group>
          <EnabledField form={form} off="Off sends nothing and keeps the settings" />
        </>
      )}
    </ResourceForm>
  );
}

/** Returns the known events among some names, in their usual order. */
const knownAmong = (names: readonly string[]): SubscribedEventName[] =>
  eventChoices.flatMap(({ event }) => (names.includes(event) ? [event] : []));
