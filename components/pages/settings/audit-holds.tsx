"use client";

import { Button, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { fieldErrors } from "@/components/kit/api/field-errors";
import { useRefusal } from "@/components/kit/session/me";
import classes from "@/components/kit/settings-frame/settings.module.css";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { auditRetentionQueries } from "@/components/nouns/audit/proof-queries";
import type { AuditHold } from "@/contracts/audit/audit-retention";
import { auditRetentionEndpoints } from "@/contracts/browser/audit/audit-retention";

const kinds = [
  { value: "person", label: "Person" },
  { value: "agent", label: "Agent" },
  { value: "period", label: "Period" },
];

type Fields = { name: string; kind: AuditHold["kind"]; subject: string; from: string; to: string };
const empty: Fields = { name: "", kind: "agent", subject: "", from: "", to: "" };

/** Holds that keep events from the retention: a list, and a form for another one. */
export function AuditHolds() {
  const { data: holds = [] } = useQuery(auditRetentionQueries.holds());
  return (
    <div className={shared.story}>
      <h3>Holds</h3>
      {holds.length === 0 ? <p className={shared.note}>Nothing is held. A hold keeps events although they are old enough to go.</p> : null}
      {holds.map((hold) => (
        <HeldEvents key={hold.id} hold={hold} />
      ))}
      <HoldForm />
    </div>
  );
}

const day = (time: string) => time.slice(0, 10);

function holdWords({ kind, subject, from, to }: AuditHold): string {
  const span = [from ? `from ${day(from)}` : "", to ? `until ${day(to)}` : ""].filter(Boolean).join(" ");
  const held = kind === "period" ? "All events" : kind === "person" ? `Events of the person ${subject}` : `Events of the agent ${subject}`;
  return span === "" ? held : `${held} ${span}`;
}

function HeldEvents({ hold }: { hold: AuditHold }) {
  const refusal = useRefusal("audit:retain");
  const client = useQueryClient();
  const end = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(auditRetentionEndpoints.removeHold, { params: { id: hold.id } }, { version: hold.version }),
    onSettled: () => client.invalidateQueries({ queryKey: auditRetentionQueries.holds().queryKey }),
  });
  const ask = () =>
    confirmAction({
      title: `End hold ${hold.name}`,
      children: "Events that are old enough are removed within 5 minutes.",
      action: "End hold",
      onConfirm: () => end.mutateAsync(),
    });
  return (
    <div className={shared.bar}>
      <RevealedText text={hold.name} /> <span className={shared.dim}>{holdWords(hold)}</span>
      <RefusableButton refusal={refusal} variant="default" size="xs" loading={end.isPending} onClick={ask}>
        End hold
      </RefusableButton>
    </div>
  );
}

const startOf = (date: string) => (date === "" ? null : `${date}T00:00:00.000Z`);

function HoldForm() {
  const refusal = useRefusal("audit:retain");
  const client = useQueryClient();
  const form = useForm<Fields>({ mode: "controlled", initialValues: empty });
  const add = useMutation({
    meta: { showsError: true },
    mutationFn: ({ name, kind, subject, from, to }: Fields) =>
      call(auditRetentionEndpoints.createHold, {
        body: { name, kind, subject: kind === "period" || subject === "" ? null : subject, from: startOf(from), to: startOf(to) },
      }),
    onError: (error) => form.setErrors(fieldErrors(error)),
    onSuccess: async () => {
      form.reset();
      await client.invalidateQueries({ queryKey: auditRetentionQueries.holds().queryKey });
    },
  });
  const { kind } = form.values;
  const disabled = refusal !== null;
  return (
    <form className={shared.story} onSubmit={form.onSubmit((values) => add.mutate(values))} noValidate>
      <TextInput label="Name of the hold" className={classes.short} disabled={disabled} {...form.getInputProps("name")} />
      <Select
        label="Hold events of"
        className={classes.short}
        data={kinds}
        allowDeselect={false}
        disabled={disabled}
        {...form.getInputProps("kind")}
      />
      {kind === "period" ? null : (
        <TextInput
          label={kind === "person" ? "Id of the person" : "Name of the agent"}
          className={classes.short}
          disabled={disabled}
          {...form.getInputProps("subject")}
        />
      )}
      <TextInput type="date" label="From" className={classes.short} disabled={disabled} {...form.getInputProps("from")} />
      <TextInput
        type="date"
        label="Until"
        description="This day is not held"
        className={classes.short}
        disabled={disabled}
        {...form.getInputProps("to")}
      />
      <div>
        <DisabledReason reason={refusal}>
          <Button type="submit" variant="default" disabled={disabled} loading={add.isPending}>
            Add hold
          </Button>
        </DisabledReason>
      </div>
    </form>
  );
}
