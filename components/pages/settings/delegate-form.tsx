"use client";

import { Checkbox, PasswordInput, Select, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { urlInputProps } from "@/components/kit/ui/forms/code-input-props";
import { FormButtons } from "@/components/kit/ui/forms/form-buttons";
import { FormError } from "@/components/kit/ui/forms/form-error";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { agentQueries } from "@/components/nouns/agents/queries";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { DelegateDraft } from "@/contracts/agents/delegate";
import { type Delegate, delegateEndpoints } from "@/contracts/browser/agents/delegate";
import { type DelegateFields, leadsElsewhere, toDelegateDraft, toDelegateFields } from "./delegate-fields";
import { delegateQueries } from "./queries";

/** Settings of the delegate: address, secret and timeout. */
export function DelegateForm({ delegate, onDone }: { delegate: Delegate; onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm<DelegateFields>({ mode: "controlled", initialValues: toDelegateFields(delegate) });
  const { values } = form;
  const agents = useQuery(agentQueries.list());
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: DelegateDraft) => call(delegateEndpoints.set, { body: draft }, { version: delegate.version }),
    onError: (error) => form.setErrors(fieldErrors(error)),
    onSuccess: async (saved) => {
      client.setQueryData(delegateQueries.get().queryKey, saved);
      notifications.show({
        message: saved.connected
          ? `core_execute hands its tasks to the ${saved.agentId ? "agent" : "pipeline"}`
          : "The delegate is saved, and switched off",
      });
      onDone();
      await client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  const submit = form.onSubmit(async (typed) => {
    const { DelegateDraft } = await import("@/contracts/agents/delegate");
    const parsed = DelegateDraft.safeParse(toDelegateDraft(typed, delegate));
    if (parsed.success) save.mutate(parsed.data);
    // Reversed, so that the first error of each field wins.
    else form.setErrors(issueErrors(parsed.error.issues.toReversed()));
  });
  const isLost = delegate.hasSecret && leadsElsewhere(values.url, delegate);
  const keepsSecret = delegate.hasSecret && !isLost && !values.removesSecret;
  return (
    <form className={shared.story} onSubmit={submit} noValidate>
      <Select
        label="Carried out by"
        description="A pipeline of yours, or one of your agents, which alone may then call tools on the escalate surface"
        data={[
          { value: "", label: "A pipeline over HTTP" },
          ...(agents.data?.items ?? []).map(({ id, name }) => ({ value: id, label: spellHidden(`The agent ${name}`) })),
        ]}
        allowDeselect={false}
        {...form.getInputProps("agentId")}
      />
      {values.agentId !== "" ? null : (
        <>
          <TextInput
            label="Address"
            description="The pipeline answers at {address}/messages/async and {address}/intents/…"
            placeholder="https://pipeline.example.com/v1"
            data-autofocus
            {...urlInputProps}
            {...form.getInputProps("url")}
          />
          <PasswordInput
            label="Secret"
            description={
              isLost
                ? "The stored secret belongs to another host and is not sent here. Type the secret of this host"
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
        </>
      )}
      <IntegerInput
        label="Timeout"
        description="Seconds. Progress and questions are polled every 1.5 seconds"
        suffix=" s"
        range={[5, 1_800]}
        {...form.getInputProps("timeoutSeconds")}
      />
      <Switch
        label="In use"
        description="Off keeps the settings; core_execute reports that no pipeline is connected"
        {...form.getInputProps("enabled", { type: "checkbox" })}
      />
      <FormError error={save.error} />
      <FormButtons submit={delegate.version === 0 ? "Connect" : "Save"} isSaving={save.isPending} onCancel={onDone} />
    </form>
  );
}
