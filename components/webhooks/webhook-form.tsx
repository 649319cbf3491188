"use client";

import { Checkbox, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isApiProblem } from "@/components/api/api-problem";
import { call } from "@/components/api/call";
import { toErrorSentence } from "@/components/api/error-sentence";
import { fieldErrors } from "@/components/api/field-errors";
import { codeInputProps } from "@/components/ui/code-input-props";
import { CodeText } from "@/components/ui/code-text";
import { DrawerForm } from "@/components/ui/drawer-form";
import { DrawerFormFooter } from "@/components/ui/drawer-form-footer";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { type SubscribedEventName, type Webhook, type WebhookWithSecret, webhookEndpoints } from "@/contracts/browser/webhooks";
import { WebhookDraft } from "@/contracts/webhooks";
import { eventChoices } from "./event-words";
import { webhookQueries } from "./queries";
import classes from "./webhooks.module.css";

type WebhookFormProps = {
  /** The edited webhook; null for a new one. */
  webhook: Webhook | null;
  onCreated: (webhook: WebhookWithSecret) => void;
  onSaved: () => void;
  onCancel: () => void;
};

type Fields = { name: string; url: string; events: SubscribedEventName[]; enabled: boolean };
const emptyFields: Fields = { name: "", url: "", events: ["turn.finished"], enabled: true };

/** Settings of a webhook: address and events. */
export function WebhookForm({ webhook, onCreated, onSaved, onCancel }: WebhookFormProps) {
  const client = useQueryClient();
  const form = useForm<Fields>({
    mode: "controlled",
    initialValues: webhook
      ? { name: webhook.name, url: webhook.url, events: pickable(webhook.events), enabled: webhook.enabled }
      : emptyFields,
  });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: async (draft: WebhookDraft) => {
      if (!webhook) return onCreated(await call(webhookEndpoints.create, { body: draft }));
      await call(webhookEndpoints.update, { params: { id: webhook.id }, body: draft }, { version: webhook.version });
      notifications.show({ message: spellHidden(`${draft.name} is saved`) });
      onSaved();
    },
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
    onSuccess: () => client.invalidateQueries({ queryKey: webhookQueries.all() }),
  });
  const submit = () => {
    const parsed = WebhookDraft.safeParse(form.getValues());
    form.clearErrors();
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])));
  };
  const saidBelow = save.error !== null && Object.keys(fieldErrorsOf(save.error)).length === 0;

  return (
    <DrawerForm
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <DrawerFormFooter
          error={saidBelow ? toErrorSentence(save.error) : null}
          submit={webhook ? "Save" : "Add webhook"}
          isSaving={save.isPending}
          onCancel={onCancel}
        />
      }
    >
      <TextInput
        label="Name"
        description="The receiving system"
        placeholder="Support desk"
        maxLength={100}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label="URL"
        description="Takes a POST and answers 2xx within 10 s. Redirects are not followed."
        placeholder="https://example.com/hooks/handrail"
        {...codeInputProps}
        inputMode="url"
        {...form.getInputProps("url")}
      />
      <Checkbox.Group
        label="Events"
        value={form.values.events}
        onChange={(values) => form.setFieldValue("events", pickable(values))}
        error={form.errors.events}
      >
        <div className={classes.events}>
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
      <Switch label="On" description="Off sends nothing and keeps the settings" {...form.getInputProps("enabled", { type: "checkbox" })} />
    </DrawerForm>
  );
}

/** Returns the known events among some names, in their usual order. */
const pickable = (words: readonly string[]): SubscribedEventName[] =>
  eventChoices.flatMap(({ event }) => (words.includes(event) ? [event] : []));

function fieldErrorsOf(error: unknown): Record<string, string> {
  if (isApiProblem(error) && error.problem.code === "conflict") return { name: error.message };
  return fieldErrors(error, (path) => path.split(".")[0] ?? path);
}
