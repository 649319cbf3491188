"use client";

import { Autocomplete, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { KeyField, lastStep, ProviderForm, RemoveKeyField } from "@/components/kit/provider-list/provider-form";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type MediaKind, type MediaProvider, type MediaSettings, mediaEndpoints } from "@/contracts/browser/models/media";
import { MediaProviderDraft } from "@/contracts/models/media";
import { mediaKindWords } from "./media-words";
import { mediaQueries } from "./queries";

type Fields = { key: string; removesKey: boolean; address: string } & Record<MediaKind, string>;

/** Key, address and models of one media provider; the stored key is never shown. */
export function MediaProviderForm(props: { settings: MediaSettings; provider: MediaProvider; onDone: () => void }) {
  const { settings, provider, onDone } = props;
  const { id, title, hasKey, defaultAddress, kinds, models, defaultModels, knownModels } = provider;
  const client = useQueryClient();
  const chosen = (kind: MediaKind) => models[kind] ?? "";
  const form = useForm<Fields>({
    mode: "controlled",
    initialValues: {
      key: "",
      removesKey: false,
      address: provider.address ?? "",
      image: chosen("image"),
      video: chosen("video"),
      music: chosen("music"),
      model3d: chosen("model3d"),
    },
  });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: MediaProviderDraft) => call(mediaEndpoints.update, { body: { providers: [draft] } }, { version: settings.version }),
    // Errors name the member by its place in the list: `providers.0.key`.
    onError: (error) => form.setErrors(fieldErrors(error, lastStep)),
    onSuccess: async (saved) => {
      client.setQueryData(mediaQueries.get().queryKey, saved);
      notifications.show({ message: spellHidden(`${title} is saved`) });
      onDone();
      await client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  const submit = form.onSubmit(({ key, removesKey, address, ...values }) => {
    const written = address.trim();
    const parsed = MediaProviderDraft.safeParse({
      id,
      address: written === "" ? null : written,
      ...(removesKey ? { key: null } : key === "" ? {} : { key }),
      models: Object.fromEntries(kinds.map((kind) => [kind, values[kind].trim() === "" ? null : values[kind]])),
    });
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(issueErrors(parsed.error.issues, (path) => String(path.at(-1))));
  });
  return (
    <ProviderForm onSubmit={submit} error={save.error} isSaving={save.isPending} onCancel={onDone}>
      <KeyField hasKey={hasKey} removesKey={form.values.removesKey} inputProps={form.getInputProps("key")} />
      {hasKey ? <RemoveKeyField inputProps={form.getInputProps("removesKey", { type: "checkbox" })} /> : null}
      {kinds.map((kind) => (
        <Autocomplete
          key={kind}
          label={`Model for ${mediaKindWords[kind].toLowerCase().replace("3d", "3D")}`}
          placeholder={defaultModels[kind] ?? ""}
          data={knownModels[kind]}
          {...codeInputProps}
          {...form.getInputProps(kind)}
        />
      ))}
      <TextInput
        label="Address"
        description="Only for a gateway or a server of your own; empty uses the provider's address"
        placeholder={defaultAddress}
        inputMode="url"
        {...codeInputProps}
        {...form.getInputProps("address")}
      />
    </ProviderForm>
  );
}
