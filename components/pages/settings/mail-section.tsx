"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { useRefusal } from "@/components/kit/session/me";
import { SaveOrDiscard } from "@/components/kit/settings-frame/save-or-discard";
import { SettingsSection } from "@/components/kit/settings-frame/settings-section";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type MailSettings, mailSettingsEndpoints } from "@/contracts/browser/notifications/mail-settings";
import type { MailSettingsDraft } from "@/contracts/notifications/mail-settings";
import { mailSettingsQueries } from "./queries";

/** The mail server by which approvers get mails; shown to admins. */
export function MailSection() {
  if (useRefusal("admin") !== null) return null;
  return (
    <SettingsSection
      id="mail"
      title="Mail server"
      description="Approvers get mails from here. Each person chooses them under Notifications."
      query={mailSettingsQueries.get()}
      what="the mail server"
      rows={3}
      height={3.75}
    >
      {(settings) => <MailForm key={settings.version} settings={settings} />}
    </SettingsSection>
  );
}

type Fields = { server: string; user: string; password: string; sender: string };

function MailForm({ settings }: { settings: MailSettings }) {
  const client = useQueryClient();
  const { server, user, sender, hasPassword } = settings;
  const form = useForm<Fields>({ mode: "controlled", initialValues: { server, user, password: "", sender } });
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: MailSettingsDraft) => call(mailSettingsEndpoints.update, { body: draft }, { version: settings.version }),
    onError: (error) => form.setErrors(fieldErrors(error)),
    onSuccess: (saved) => {
      client.setQueryData(mailSettingsQueries.get().queryKey, saved);
      notifications.show({ message: "Mails go through this server" });
    },
  });
  const submit = form.onSubmit(async ({ password, ...typed }) => {
    const { MailSettingsDraft } = await import("@/contracts/notifications/mail-settings");
    const parsed = MailSettingsDraft.safeParse({ ...typed, ...(password === "" ? {} : { password }) });
    if (parsed.success) save.mutate(parsed.data);
    else form.setErrors(issueErrors(parsed.error.issues));
  });
  return (
    <>
      <form className={shared.story} onSubmit={submit} noValidate>
        <TextInput
          label="SMTP server"
          description="Port 465 begins with TLS, others with STARTTLS. Empty: no mails"
          placeholder="smtp.example.com:587"
          {...codeInputProps}
          {...form.getInputProps("server")}
        />
        <TextInput
          label="Sender"
          placeholder="handrail@example.com"
          {...codeInputProps}
          inputMode="email"
          {...form.getInputProps("sender")}
        />
        <TextInput
          label="User"
          description="Empty when the server asks for no sign-in"
          autoComplete="off"
          {...form.getInputProps("user")}
        />
        <PasswordInput
          label="Password"
          description={hasPassword ? "Stored sealed. Empty keeps it" : "Stored sealed"}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <SaveOrDiscard form={form} save={save} />
      </form>
      {server === "" || form.isDirty() ? null : <MailTestForm />}
    </>
  );
}

function MailTestForm() {
  const form = useForm({ mode: "controlled", initialValues: { to: "" } });
  const test = useMutation({
    meta: { showsError: true },
    mutationFn: (to: string) => call(mailSettingsEndpoints.test, { body: { to } }),
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <form className={shared.story} onSubmit={form.onSubmit(({ to }) => test.mutate(to.trim()))} noValidate>
      <TextInput
        label="Send a test mail to"
        placeholder="ann@example.com"
        {...codeInputProps}
        inputMode="email"
        {...form.getInputProps("to")}
      />
      <div className={shared.bar}>
        <Button type="submit" variant="default" loading={test.isPending} disabled={form.values.to.trim() === ""}>
          Send a test
        </Button>
      </div>
      {test.data ? (
        <p role="status" className={shared.note}>
          {test.data.error === null ? "The server took the mail." : <RevealedText text={test.data.error} />}
        </p>
      ) : test.error && !form.errors.to ? (
        <p role="alert" className={shared.note}>
          {toErrorSentence(test.error)}
        </p>
      ) : null}
    </form>
  );
}
