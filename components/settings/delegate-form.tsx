"use client";

import { Button, Checkbox, NumberInput, PasswordInput, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { fieldErrors } from "@/components/api/field-errors";
import { sentenceOf } from "@/components/api/sentence-of";
import { toolQueries } from "@/components/tools/queries";
import { machineTyping } from "@/components/ui/machine-typing";
import { type Delegate, DelegateDraft, delegateEndpoints } from "@/contracts/delegate";
import { type DelegateFields, delegateDraftOf, delegateFieldsOf, leadsElsewhere } from "./delegate-fields";
import { delegateQueries } from "./queries";
import classes from "./settings.module.css";

/** Where tasks go, with what secret, and how long one may take. */
export function DelegateForm({ delegate, onDone }: { delegate: Delegate; onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm<DelegateFields>({ mode: "controlled", initialValues: delegateFieldsOf(delegate) });
  const { values } = form;
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: DelegateDraft) => call(delegateEndpoints.set, { body: draft }, { version: delegate.version }),
    onError: (error) => form.setErrors(fieldErrors(error)),
    onSuccess: async (saved) => {
      client.setQueryData(delegateQueries.get().queryKey, saved);
      notifications.show({
        message: saved.connected ? "core_execute hands its tasks to the pipeline" : "The pipeline is saved, and switched off",
      });
      onDone();
      await client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  const submit = form.onSubmit((typed) => {
    const parsed = DelegateDraft.safeParse(delegateDraftOf(typed, delegate));
    if (parsed.success) save.mutate(parsed.data);
    // Of several mistakes in a field the first one is told.
    else form.setErrors(Object.fromEntries(parsed.error.issues.toReversed().map(({ path, message }) => [String(path[0]), message])));
  });
  const isLost = delegate.hasSecret && leadsElsewhere(values.url, delegate);
  const keepsSecret = delegate.hasSecret && !isLost && !values.removesSecret;
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Address"
        description="The pipeline answers at {address}/messages/async and {address}/intents/…"
        placeholder="https://pipeline.example.com/v1"
        inputMode="url"
        data-autofocus
        {...machineTyping}
        {...form.getInputProps("url")}
      />
      <PasswordInput
        label="Secret"
        description={
          isLost
            ? "The stored secret belongs to the other host and is not sent to this one: type the one of this host"
            : "Sent with every request as Authorization: Bearer. Stored encrypted, and never shown again"
        }
        placeholder={keepsSecret ? "Stored. Type over it to replace it" : "None"}
        autoComplete="new-password"
        disabled={values.removesSecret}
        visibilityToggleButtonProps={{ "aria-label": "Show or hide the secret", tabIndex: 0, "aria-hidden": false }}
        {...form.getInputProps("secret")}
      />
      {delegate.hasSecret && !isLost ? (
        <Checkbox label="Remove the stored secret" {...form.getInputProps("removesSecret", { type: "checkbox" })} />
      ) : null}
      <NumberInput
        label="A task may take"
        description="Seconds until nobody waits any more. How far it is, and what it asks, is looked up every 1.5 seconds"
        suffix=" s"
        min={5}
        max={1_800}
        allowDecimal={false}
        {...form.getInputProps("timeoutSeconds")}
      />
      <Switch
        label="In use"
        description="Off keeps the settings, and core_execute says that nothing is connected"
        {...form.getInputProps("enabled", { type: "checkbox" })}
      />
      {save.error && Object.keys(fieldErrors(save.error)).length === 0 ? (
        <p role="alert" className={classes.error}>
          {sentenceOf(save.error)}
        </p>
      ) : null}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          {delegate.url === null ? "Connect" : "Save"}
        </Button>
      </div>
    </form>
  );
}
