"use client";

import { CloseButton, PasswordInput, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRefusal } from "@/components/kit/session/me";
import { SaveOrDiscard } from "@/components/kit/settings-frame/save-or-discard";
import { SettingsSection } from "@/components/kit/settings-frame/settings-section";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { ShellSettings } from "@/contracts/browser/tools/shell";
import { shellSettingsQueries } from "./queries";
import { useSaveShellSettings } from "./use-save-shell-settings";

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
      {/* A save of the registries, which belong to the same settings, leaves what is typed here. */}
      {(settings) => <CommandsForm key={`${settings.codeLanguages} ${settings.commandPrefix} ${settings.variables}`} settings={settings} />}
    </SettingsSection>
  );
}

type Fields = { python: boolean; node: boolean; commandPrefix: string; variable: string; value: string };

function CommandsForm({ settings }: { settings: ShellSettings }) {
  const refusal = useRefusal("admin");
  const { codeLanguages, commandPrefix, variables } = settings;
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
  const { save, saveChecked } = useSaveShellSettings({
    showErrors: (errors) => form.setErrors(toFields(errors)),
    reset: () => form.reset(),
    saved: "New calls have these settings",
  });
  const submit = form.onSubmit(({ python, node, commandPrefix, variable, value }) =>
    saveChecked({
      codeLanguages: ["shell", ...(python ? ["python"] : []), ...(node ? ["node"] : [])],
      commandPrefix,
      ...(variable.trim() === "" ? {} : { variables: { [variable.trim()]: value } }),
    }),
  );
  return (
    <form className={shared.story} onSubmit={submit} noValidate>
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
        <div key={name} className={shared.bar}>
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
