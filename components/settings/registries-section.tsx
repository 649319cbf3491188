"use client";

import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment } from "react";
import { call } from "@/components/api/call";
import { toErrorSentence } from "@/components/api/error-sentence";
import { fieldErrors } from "@/components/api/field-errors";
import { AuthProfileSelect } from "@/components/http-tools/auth-profile-select";
import { useRefusal } from "@/components/session/me";
import { Section } from "@/components/settings-frame/section";
import classes from "@/components/settings-frame/settings.module.css";
import { codeInputProps } from "@/components/ui/code-input-props";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { ErrorState } from "@/components/ui/error-state";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { type PackageRegistries, type ShellSettings, shellSettingsEndpoints } from "@/contracts/browser/shell";
import type { ShellSettingsPatch } from "@/contracts/shell";
import { shellSettingsQueries } from "./queries";

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
  const { data: settings, error, refetch, isFetching } = useQuery(shellSettingsQueries.get());
  return (
    <Section
      id="package-registries"
      title="Package registries"
      description="Where programs in the sandbox get packages. The credential is added outside of the sandbox, for reading only; approvals go on to name the public host."
    >
      {error && !settings ? (
        <ErrorState error={error} what="the package registries" retry={() => void refetch()} retrying={isFetching} />
      ) : !settings ? (
        <RowSkeletons rows={2} height={4} what="the package registries" />
      ) : (
        <RegistriesForm key={settings.version} settings={settings} />
      )}
    </Section>
  );
}

type Fields = Record<keyof PackageRegistries, { url: string; authProfileId: string | null }>;

const none = { url: "", authProfileId: null };

function RegistriesForm({ settings: { registries, version } }: { settings: ShellSettings }) {
  const refusal = useRefusal("admin");
  const client = useQueryClient();
  const form = useForm<Fields>({ mode: "controlled", initialValues: { npm: registries.npm ?? none, pypi: registries.pypi ?? none } });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (patch: ShellSettingsPatch) => call(shellSettingsEndpoints.update, { body: patch }, { version }),
    onError: (error) => form.setErrors(toFields(fieldErrors(error))),
    onSuccess: (saved) => {
      client.setQueryData(shellSettingsQueries.get().queryKey, saved);
      notifications.show({ message: "New commands use these registries" });
    },
  });
  const submit = form.onSubmit(async ({ npm, pypi }) => {
    const { ShellSettingsPatch } = await import("@/contracts/shell");
    const parsed = ShellSettingsPatch.safeParse({ registries: { npm: registryOf(npm), pypi: registryOf(pypi) } });
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(toFields(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join("."), message]))));
  });
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {managers.map(({ manager, label, publicHost, placeholder }) => (
        <Fragment key={manager}>
          <DisabledReason reason={refusal}>
            <TextInput
              label={label}
              description={`In place of ${publicHost}; empty for the public one`}
              placeholder={placeholder}
              disabled={refusal !== null}
              {...codeInputProps}
              inputMode="url"
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
      {save.error && Object.keys(fieldErrors(save.error)).length === 0 ? (
        <p role="alert" className={classes.error}>
          {toErrorSentence(save.error)}
        </p>
      ) : null}
      {form.isDirty() ? (
        <div className={classes.actions}>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          <Button variant="default" onClick={form.reset}>
            Discard
          </Button>
        </div>
      ) : null}
    </form>
  );
}

const registryOf = ({ url, authProfileId }: Fields["npm"]) => (url.trim() === "" ? null : { url, authProfileId });

const toFields = (errors: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([path, message]) => [path.replace(/^registries\./, ""), String(message)]));
