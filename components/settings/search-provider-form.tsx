"use client";

import { Button, Checkbox, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { toErrorSentence } from "@/components/api/error-sentence";
import { fieldErrors } from "@/components/api/field-errors";
import classes from "@/components/settings-frame/settings.module.css";
import { toolQueries } from "@/components/tools/queries";
import { codeInputProps } from "@/components/ui/code-input-props";
import { type SearchProvider, type SearchSettings, searchSettingsEndpoints } from "@/contracts/browser/search-settings";
import { SearchProviderDraft } from "@/contracts/search-settings";
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
      call(
        searchSettingsEndpoints.update,
        { body: { providers: settings.providers.map((other) => (other.id === id ? draft : { id: other.id })) } },
        { version: settings.version },
      ),
    // Errors name the member by its place in the list: `providers.0.key`.
    onError: (error) =>
      form.setErrors(Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, text]) => [path.split(".").at(-1), text]))),
    onSuccess: async (saved) => {
      client.setQueryData(searchSettingsQueries.get().queryKey, saved);
      notifications.show({ message: `${title} is saved` });
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
    else form.setErrors(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])));
  });
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {needs === "key" ? (
        <PasswordInput
          label="API key"
          description="Stored encrypted, and never shown again"
          placeholder={hasKey && !form.values.removesKey ? "Stored. Type over it to replace it" : "None"}
          autoComplete="new-password"
          data-autofocus
          disabled={form.values.removesKey}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the key", tabIndex: 0, "aria-hidden": false }}
          {...form.getInputProps("key")}
        />
      ) : null}
      {hasKey ? <Checkbox label="Remove the stored key" {...form.getInputProps("removesKey", { type: "checkbox" })} /> : null}
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
      {save.error && Object.keys(fieldErrors(save.error)).length === 0 ? (
        <p role="alert" className={classes.error}>
          {toErrorSentence(save.error)}
        </p>
      ) : null}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
