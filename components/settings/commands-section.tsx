"use client";

import { CloseButton, PasswordInput, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { fieldErrors } from "@/components/api/field-errors";
import { useRefusal } from "@/components/session/me";
import { SaveOrDiscard } from "@/components/settings-frame/save-or-discard";
import classes from "@/components/settings-frame/settings.module.css";
import { SettingsSection } from "@/components/settings-frame/settings-section";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { RevealedText } from "@/components/ui/revealed-text";
import { type ShellSettings, shellSettingsEndpoints } from "@/contracts/browser/shell";
import type { ShellSettingsPatch } from "@/contracts/shell";
import { shellSettingsQueries } from "./queries";

/** Settings for shell commands and code. */
export function CommandsSection() {
  return (
    <SettingsSection
      id="commands"
      title="Commands"
      description="Languages of execute_code, and a prefix and variables of all shell commands. The guard judges a command with its prefix."
      query={shellSettingsQueries.get()}
      what="the shell settings"
    >
      {(settings) => <CommandsForm key={settings.version} settings={settings} />}
    </SettingsSection>
  );
}

type Fields = { python: boolean; node: boolean; commandPrefix: string; variable: string; value: string };

function CommandsForm({ settings }: { settings: ShellSettings }) {
  const refusal = useRefusal("admin");
  const client = useQueryClient();
  const { codeLanguages, commandPrefix, variables, version } = settings;
  const form = useForm<Fields>({
    mode: "controlled",
    initialValues: {
      python: codeLanguages.includes("python"),
      node: codeLanguages.includes("node"),
      commandPrefix,
      variable: "",
      value: "",
    },
  });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (patch: ShellSettingsPatch) => call(shellSettingsEndpoints.update, { body: patch }, { version }),
    onError: (error) => form.setErrors(toFields(fieldErrors(error))),
    onSuccess: (saved) => {
      client.setQueryData(shellSettingsQueries.get().queryKey, saved);
      notifications.show({ message: "New calls have these settings" });
    },
  });
  const submit = form.onSubmit(async ({ python, node, commandPrefix, variable, value }) => {
    const { ShellSettingsPatch } = await import("@/contracts/shell");
    const parsed = ShellSettingsPatch.safeParse({
      codeLanguages: ["shell", ...(python ? ["python"] : []), ...(node ? ["node"] : [])],
      commandPrefix,
      ...(variable.trim() === "" ? {} : { variables: { [variable.trim()]: value } }),
    });
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(toFields(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join("."), message]))));
  });
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <DisabledReason reason={refusal}>
        <Switch label="Python in execute_code" disabled={refusal !== null} {...form.getInputProps("python", { type: "checkbox" })} />
      </DisabledReason>
      <DisabledReason reason={refusal}>
        <Switch label="Node in execute_code" disabled={refusal !== null} {...form.getInputProps("node", { type: "checkbox" })} />
      </DisabledReason>
      <DisabledReason reason={refusal}>
        <TextInput
          label="Command prefix"
          description="Words before the whole command line, such as nice -n 5. Of several commands on the line only the first gets them."
          disabled={refusal !== null}
          {...form.getInputProps("commandPrefix")}
        />
      </DisabledReason>
      {variables.map((name) => (
        <div key={name} className={classes.actions}>
          <code>
            <RevealedText text={name} />
          </code>
          <CloseButton
            aria-label={`Remove ${name}`}
            disabled={refusal !== null || save.isPending}
            onClick={() => save.mutate({ variables: { [name]: null } })}
          />
        </div>
      ))}
      <DisabledReason reason={refusal}>
        <TextInput
          label="New variable"
          description="Every command gets it; its value is never shown again"
          disabled={refusal !== null}
          {...form.getInputProps("variable")}
        />
      </DisabledReason>
      {form.values.variable === "" ? null : <PasswordInput label="Value" autoComplete="off" {...form.getInputProps("value")} />}
      <SaveOrDiscard form={form} save={save} />
    </form>
  );
}

/** Shows errors of a variable at its name. */
function toFields(errors: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => [path.startsWith("variables") ? "variable" : path, String(message)]),
  );
}
