"use client";

import { Button } from "@mantine/core";
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
import { auditRetentionQueries } from "@/components/nouns/audit/proof-queries";
import type { AuditRemovalPlan, AuditSettingsPatch } from "@/contracts/audit/audit-retention";
import { type AuditSettings, auditRetentionEndpoints } from "@/contracts/browser/audit/audit-retention";
import { AuditHolds } from "./audit-holds";

/** The retention of audit events, and the holds. */
export function AuditSection() {
  return (
    <SettingsSection
      id="audit"
      title="Audit"
      description="Older events are removed or archived; an event records how many. 0 keeps them all in the database."
      query={auditRetentionQueries.settings()}
      what="the settings of the audit"
    >
      {(settings) => (
        <>
          <RetentionForm key={settings.version} settings={settings} />
          <AuditHolds />
        </>
      )}
    </SettingsSection>
  );
}

const fields = [
  ["callDays", "Days for calls", "Calls, turns, runs, approvals and conversations"],
  ["configurationDays", "Days for changes", "Changes of tools, rules, agents, members and settings"],
  ["signInDays", "Days for sign-ins", "Sign-ins, failed ones too, and sign-outs"],
  [
    "archiveMonths",
    "Closed months in the database",
    "Events of older months go to compressed files of the blob store: they stay in the lists, the exports and the verification, and take longer to read",
  ],
] as const;

type Fields = Record<(typeof fields)[number][0], number | string>;

function RetentionForm({ settings }: { settings: AuditSettings }) {
  const refusal = useRefusal("audit:retain");
  const client = useQueryClient();
  const { callDays, configurationDays, signInDays, archiveMonths } = settings;
  const form = useForm<Fields>({
    mode: "controlled",
    initialValues: { callDays, configurationDays, signInDays, archiveMonths },
    // The count was of other days.
    onValuesChange: () => plan.reset(),
  });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (patch: AuditSettingsPatch) => call(auditRetentionEndpoints.updateSettings, { body: patch }, { version: settings.version }),
    onError: (error) => form.setErrors(fieldErrors(error)),
    onSuccess: (saved) => {
      client.setQueryData(auditRetentionQueries.settings().queryKey, saved);
      notifications.show({ message: "Old events are removed or archived within 5 minutes" });
    },
  });
  const plan = useMutation({
    meta: { showsError: true },
    mutationFn: ({ archiveMonths: _, ...query }: AuditSettingsPatch) => call(auditRetentionEndpoints.plan, { query }),
  });
  const parsed = (act: (patch: AuditSettingsPatch) => void) =>
    form.onSubmit(async (typed) => {
      const { AuditSettingsPatch } = await import("@/contracts/audit/audit-retention");
      const result = AuditSettingsPatch.safeParse(typed);
      if (result.success) act(result.data);
      else form.setErrors(issueErrors(result.error.issues));
    });
  return (
    <form className={shared.story} onSubmit={parsed(save.mutate)} noValidate>
      {fields.map(([name, label, covers]) => (
        <DisabledReason key={name} reason={refusal}>
          <IntegerInput
            label={label}
            description={covers}
            className={classes.short}
            range={[0, name === "archiveMonths" ? 1_200 : 36_500]}
            disabled={refusal !== null}
            {...form.getInputProps(name)}
          />
        </DisabledReason>
      ))}
      <div className={shared.bar}>
        <Button variant="default" loading={plan.isPending} onClick={() => parsed(plan.mutate)()}>
          Count events to remove
        </Button>
        <span aria-live="polite">{plan.data ? <PlanWords plan={plan.data} /> : null}</span>
      </div>
      <SaveOrDiscard form={form} save={save} />
    </form>
  );
}

const count = new Intl.NumberFormat("en");

function PlanWords({ plan: { calls, configuration, signIns, held } }: { plan: AuditRemovalPlan }) {
  const words = `${count.format(calls)} events of calls, ${count.format(configuration)} changes and ${count.format(signIns)} sign-ins would go`;
  return <span className={shared.dim}>{held > 0 ? `${words}; holds keep ${count.format(held)}.` : `${words}.`}</span>;
}
