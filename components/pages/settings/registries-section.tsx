"use client";

import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Fragment } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { SaveOrDiscard } from "@/components/kit/settings-frame/save-or-discard";
import { SettingsSection } from "@/components/kit/settings-frame/settings-section";
import { urlInputProps } from "@/components/kit/ui/forms/code-input-props";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { AuthProfileSelect } from "@/components/nouns/http-tools/auth-profile-select";
import type { PackageRegistries, ShellSettings } from "@/contracts/browser/tools/shell";
import { shellSettingsQueries } from "./queries";
import { useSaveShellSettings } from "./use-save-shell-settings";

const managers = [
  {
    manager: "npm",
    label: "npm registry",
    publicHost: "registry.npmjs.org",
    placeholder: "https://npm.example.com/repository/npm/",
  },
  { manager: "pypi", label: "Python index", publicHost: "pypi.org", placeholder: "https://pypi.example.com/simple/" },
] as const;

/** A company's registries of packages, for programs in the sandbox. */
export function RegistriesSection() {
  return (
    <SettingsSection
      id="package-registries"
      title="Package registries"
      description="Where programs in the sandbox get packages. The credential is added outside of the sandbox, for reading only; approvals go on to name the public host."
      query={shellSettingsQueries.get()}
      what="the package registries"
      rows={2}
      height={4}
    >
      {(settings) => <RegistriesForm key={JSON.stringify(settings.registries)} settings={settings} />}
    </SettingsSection>
  );
}

type Fields = Record<keyof PackageRegistries, { url: string; authProfileId: string | null }>;

const none = { url: "", authProfileId: null };

function RegistriesForm({ settings: { registries } }: { settings: ShellSettings }) {
  const refusal = useRefusal("admin");
  const form = useForm<Fields>({ mode: "controlled", initialValues: { npm: registries.npm ?? none, pypi: registries.pypi ?? none } });
  const { save, saveChecked } = useSaveShellSettings({
    showErrors: (errors) => form.setErrors(toFields(errors)),
    reset: () => form.reset(),
    saved: "New commands use these registries",
  });
  const submit = form.onSubmit(({ npm, pypi }) => saveChecked({ registries: { npm: registryOf(npm), pypi: registryOf(pypi) } }));
  return (
    <form className={shared.story} onSubmit={submit} noValidate>
      {managers.map(({ manager, label, publicHost, placeholder }) => (
        <Fragment key={manager}>
          <DisabledReason reason={refusal}>
            <TextInput
              label={label}
              description={`In place of ${publicHost}; empty for the public one`}
              placeholder={placeholder}
              disabled={refusal !== null}
              {...urlInputProps}
              {...form.getInputProps(`${manager}.url`)}
            />
          </DisabledReason>
          {refusal !== null || form.values[manager].url.trim() === "" ? null : (
            <AuthProfileSelect
              url={form.values[manager].url.trim()}
              value={form.values[manager].authProfileId}
              onChange={(id) => form.setFieldValue(`${manager}.authProfileId`, id)}
              error={form.errors[`${manager}.authProfileId`]?.toString()}
            />
          )}
        </Fragment>
      ))}
      <SaveOrDiscard form={form} save={save} />
    </form>
  );
}

const registryOf = ({ url, authProfileId }: Fields["npm"]) => (url.trim() === "" ? null : { url, authProfileId });

const toFields = (errors: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([path, message]) => [path.replace(/^registries\./, ""), String(message)]));
