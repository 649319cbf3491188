"use client";

import { ActionIcon, Anchor, Select, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { call } from "@/components/kit/api/call";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { useRefusal } from "@/components/kit/session/me";
import { SaveOrDiscard } from "@/components/kit/settings-frame/save-or-discard";
import classes from "@/components/kit/settings-frame/settings.module.css";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { guardQueries } from "@/components/nouns/guard/queries";
import { type NotificationSettings, notificationEndpoints } from "@/contracts/browser/notifications/notifications";
import type { MailTiming, NotificationSettingsDraft } from "@/contracts/notifications/notifications";
import { notificationQueries } from "./queries";
import styles from "./ways-form.module.css";

const mailTimings: readonly { value: MailTiming; label: string }[] = [
  { value: "off", label: "Never" },
  { value: "at_once", label: "At once" },
  { value: "digest", label: "As a digest" },
];

type Fields = Omit<NotificationSettingsDraft, "quietHours" | "digestMinutes"> & {
  digestMinutes: number | string;
  isQuiet: boolean;
  from: string;
  until: string;
};

const toFields = ({ messenger, email, push, digestMinutes, quietHours, timeZone, rules, version }: NotificationSettings): Fields => ({
  ...{ messenger, email, push, digestMinutes, rules },
  // The browser knows the zone of a person who has chosen nothing yet.
  timeZone: version === 0 ? Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone,
  isQuiet: quietHours !== null,
  from: quietHours?.from ?? "22:00",
  until: quietHours?.until ?? "07:00",
});

const toDraft = ({ isQuiet, from, until, digestMinutes, ...fields }: Fields) => ({
  ...fields,
  digestMinutes: Number(digestMinutes),
  quietHours: isQuiet ? { from, until } : null,
});

const nameOfField = (path: string): string => path.replace(/^quietHours\./, "");

/** The ways by which the person hears of approvals. */
export function WaysForm({ settings }: { settings: NotificationSettings }) {
  const client = useQueryClient();
  const form = useForm<Fields>({ mode: "controlled", initialValues: toFields(settings) });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: NotificationSettingsDraft) =>
      call(notificationEndpoints.updateSettings, { body: draft }, { version: settings.version }),
    onError: (error) => form.setErrors(fieldErrors(error, nameOfField)),
    onSuccess: (saved) => {
      client.setQueryData(notificationQueries.settings().queryKey, saved);
      notifications.show({ message: "The next approvals reach you in these ways" });
    },
  });
  const submit = form.onSubmit(async (typed) => {
    const { NotificationSettingsDraft } = await import("@/contracts/notifications/notifications");
    const parsed = NotificationSettingsDraft.safeParse(toDraft(typed));
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(issueErrors(parsed.error.issues, (path) => nameOfField(path.join("."))));
  });
  const { email, chats, devices } = settings.reachableBy;
  return (
    <form className={shared.story} onSubmit={submit} noValidate>
      <Switch
        label="Messenger"
        description={
          chats.length > 0 ? (
            <RevealedText text={`The card comes to ${chats.join(", ")}`} />
          ) : (
            <>
              No chat is linked.{" "}
              <Anchor component={Link} href="/contacts" size="xs">
                Link a chat
              </Anchor>
            </>
          )
        }
        {...form.getInputProps("messenger", { type: "checkbox" })}
      />
      <Switch
        label="Push"
        description={devices > 0 ? `To ${devices === 1 ? "1 device" : `${devices} devices`}` : "No device gets pushes. Add this one below."}
        {...form.getInputProps("push", { type: "checkbox" })}
      />
      <div className={styles.row}>
        <Select
          label="E-mail"
          description={email ? spellHidden(`To ${email}`) : "The workspace has no mail server yet. An admin sets it up in Settings."}
          data={mailTimings}
          allowDeselect={false}
          {...form.getInputProps("email")}
        />
        {form.values.email === "digest" ? (
          <IntegerInput
            label="Minutes of a digest"
            description="Approvals of this time come together"
            className={classes.short}
            range={[5, 1_440]}
            {...form.getInputProps("digestMinutes")}
          />
        ) : null}
      </div>
      <Switch
        label="Quiet hours"
        description="Nothing is sent in these hours. What still waits at their end is sent then."
        {...form.getInputProps("isQuiet", { type: "checkbox" })}
      />
      {form.values.isQuiet ? (
        <div className={styles.row}>
          <TextInput type="time" label="From" {...form.getInputProps("from")} />
          <TextInput type="time" label="Until" {...form.getInputProps("until")} />
          <Select
            label="Time zone"
            data={Intl.supportedValuesOf("timeZone").concat("UTC")}
            searchable
            allowDeselect={false}
            {...form.getInputProps("timeZone")}
          />
        </div>
      ) : null}
      <RuleWays form={form} />
      <SaveOrDiscard form={form} save={save} />
    </form>
  );
}

type WaysFormState = ReturnType<typeof useForm<Fields>>;

/** Other ways for the approvals of single guard rules. */
function RuleWays({ form }: { form: WaysFormState }) {
  const { data } = useQuery({ ...guardQueries.rules(), enabled: useRefusal("guard:read") === null });
  const rules = data ?? [];
  const chosen = form.values.rules ?? [];
  const left = rules.filter(({ id, verdict }) => verdict === "require_approval" && !chosen.some(({ ruleId }) => ruleId === id));
  if (rules.length === 0 || (left.length === 0 && chosen.length === 0)) return null;
  return (
    <fieldset className={styles.rules}>
      <legend>Other ways for single rules</legend>
      {chosen.map(({ ruleId }, place) => {
        const name = spellHidden(rules.find(({ id }) => id === ruleId)?.name ?? "A removed rule");
        return (
          <div key={ruleId} className={styles.rule}>
            <span className={styles.name}>
              <RevealedText text={name} />
            </span>
            <Switch label="Messenger" {...form.getInputProps(`rules.${place}.messenger`, { type: "checkbox" })} />
            <Switch label="Push" {...form.getInputProps(`rules.${place}.push`, { type: "checkbox" })} />
            <Select
              aria-label={`E-mail for ${name}`}
              data={mailTimings.map(({ value, label }) => ({ value, label: `E-mail: ${label.toLowerCase()}` }))}
              allowDeselect={false}
              {...form.getInputProps(`rules.${place}.email`)}
            />
            <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={() => form.removeListItem("rules", place)}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        );
      })}
      {left.length > 0 ? (
        <Select
          aria-label="Add a rule"
          placeholder="Add a rule"
          searchable
          value={null}
          data={nameChoices(left)}
          onChange={(ruleId) => {
            if (ruleId) form.insertListItem("rules", { ruleId, messenger: true, email: "at_once", push: true });
          }}
        />
      ) : null}
    </fieldset>
  );
}
