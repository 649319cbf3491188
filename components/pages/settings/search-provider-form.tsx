"use client";

import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { KeyField, lastStep, ProviderForm, RemoveKeyField } from "@/components/kit/provider-list/provider-form";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type SearchProvider, type SearchSettings, searchSettingsEndpoints } from "@/contracts/browser/tools/search-settings";
import { SearchProviderDraft } from "@/contracts/tools/search-settings";
import { searchSettingsQueries } from "./queries";

type Fields = { key: string; removesKey: boolean; address: string };

/** Key and address of one search provider; the stored key is never shown. */
export function SearchProviderForm(props: { settings: SearchSettings; provider: SearchProvider; onDone: () => void }) {
  const { settings, provider, onDone } = props;
  const { id, title, needs, hasKey, defaultAddress } = provider;
  const client = useQueryClient();
  const form = useForm<Fields>({ mode: "controlled", initialValues: { key: "", removesKey: false, address: provider.address ?? "" } });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: SearchProviderDraft) =>
      call(searchSettingsEndpoints.update, { body: { providers: [draft] } }, { version: settings.version }),
    // Errors name the member by its place in the list: `providers.0.key`.
    onError: (error) => form.setErrors(fieldErrors(error, lastStep)),
    onSuccess: async (saved) => {
      client.setQueryData(searchSettingsQueries.get().queryKey, saved);
      notifications.show({ message: spellHidden(`${title} is saved`) });
      onDone();
      await client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  const submit = form.onSubmit(({ key, removesKey, address }) => {
    const written = address.trim();
    const parsed = SearchProviderDraft.safeParse({
      id,
      address: written === "" ? null : written,
      ...(removesKey ? { key: null } : key === "" ? {} : { key }),
    });
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(issueErrors(parsed.error.issues));
  });
  return (
    <ProviderForm onSubmit={submit} error={save.error} isSaving={save.isPending} onCancel={onDone}>
      {needs === "key" ? <KeyField hasKey={hasKey} removesKey={form.values.removesKey} inputProps={form.getInputProps("key")} /> : null}
      {hasKey ? <RemoveKeyField inputProps={form.getInputProps("removesKey", { type: "checkbox" })} /> : null}
      <TextInput
        label="Address"
        description={
          needs === "address"
            ? "Base address of the instance. A private host must be among the guard's allowed hosts"
            : "Only for a gateway of your own; empty uses the provider's address"
        }
        placeholder={defaultAddress ?? "https://searx.example.com"}
        inputMode="url"
        {...codeInputProps}
        {...form.getInputProps("address")}
      />
    </ProviderForm>
  );
}
