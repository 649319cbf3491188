"use client";

import { Switch } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { useRefusal } from "@/components/kit/session/me";
import { SaveOrDiscard } from "@/components/kit/settings-frame/save-or-discard";
import classes from "@/components/kit/settings-frame/settings.module.css";
import { SettingsSection } from "@/components/kit/settings-frame/settings-section";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import shared from "@/components/kit/ui/shared.module.css";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type ResultSettings, resultChars, resultSettingsEndpoints, turnChars } from "@/contracts/browser/tools/result-settings";
import type { ResultSettingsPatch } from "@/contracts/tools/result-settings";
import { resultSettingsQueries } from "./queries";

/** Settings for the results that the model reads. */
export function ResultsSection() {
  return (
    <SettingsSection
      id="results"
      title="Results"
      description="Limits of results sent to the model, and masking of secrets. A longer result is kept as an artifact for read_artifact."
      query={resultSettingsQueries.get()}
      what="the result settings"
    >
      {(settings) => <ResultsForm key={settings.version} settings={settings} />}
    </SettingsSection>
  );
}

type Fields = { maxCharsPerResult: number | string; maxCharsPerTurn: number | string; maskSecrets: boolean };

function ResultsForm({ settings }: { settings: ResultSettings }) {
  const refusal = useRefusal("admin");
  const client = useQueryClient();
  const { maxCharsPerResult, maxCharsPerTurn, maskSecrets } = settings;
  const form = useForm<Fields>({ mode: "controlled", initialValues: { maxCharsPerResult, maxCharsPerTurn, maskSecrets } });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (patch: ResultSettingsPatch) => call(resultSettingsEndpoints.update, { body: patch }, { version: settings.version }),
    onError: (error) => form.setErrors(fieldErrors(error)),
    onSuccess: async (saved) => {
      client.setQueryData(resultSettingsQueries.get().queryKey, saved);
      notifications.show({ message: "New calls have these settings" });
      await client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  const submit = form.onSubmit(async (typed) => {
    const { ResultSettingsPatch } = await import("@/contracts/tools/result-settings");
    const parsed = ResultSettingsPatch.safeParse(typed);
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(issueErrors(parsed.error.issues));
  });
  return (
    <form className={shared.story} onSubmit={submit} noValidate>
      <DisabledReason reason={refusal}>
        <IntegerInput
          label="Characters of a result"
          description="A tool's own limit takes precedence"
          className={classes.short}
          range={[resultChars.min, resultChars.max]}
          step={1_000}
          thousandSeparator=","
          disabled={refusal !== null}
          {...form.getInputProps("maxCharsPerResult")}
        />
      </DisabledReason>
      <DisabledReason reason={refusal}>
        <IntegerInput
          label="Characters of all results of a turn"
          className={classes.short}
          range={[turnChars.min, turnChars.max]}
          step={1_000}
          thousandSeparator=","
          disabled={refusal !== null}
          {...form.getInputProps("maxCharsPerTurn")}
        />
      </DisabledReason>
      <DisabledReason reason={refusal}>
        <Switch
          label="Mask secrets"
          description="Tokens, keys and passwords in results become ***, for the model, hooks, webhooks and artifacts"
          disabled={refusal !== null}
          {...form.getInputProps("maskSecrets", { type: "checkbox" })}
        />
      </DisabledReason>
      <SaveOrDiscard form={form} save={save} />
    </form>
  );
}
