"use client";

import { PasswordInput, Select, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { fieldErrors } from "@/components/kit/api/field-errors";
import { useMe } from "@/components/kit/session/me";
import { FormButtons } from "@/components/kit/ui/forms/form-buttons";
import { FormError } from "@/components/kit/ui/forms/form-error";
import { LateForm } from "@/components/kit/ui/forms/late-form";
import shared from "@/components/kit/ui/shared.module.css";
import type { Role } from "@/contracts/permissions";
import { roleChoices } from "./role-words";

export type MemberFields = { email: string; name: string; role: Role; password: string };

type MemberFormProps = {
  initial: MemberFields;
  /** An existing member keeps address and role, and the password when the field is empty. */
  isNew: boolean;
  /** People change their own password in the account menu, and new members choose one by an invitation. */
  hasPassword?: boolean;
  action: string;
  busy: boolean;
  error: unknown;
  onSubmit: (fields: MemberFields) => void;
  onCancel: () => void;
};

/** Name, role and password of a member. */
export function MemberForm({ initial, isNew, hasPassword = true, action, busy, error, onSubmit, onCancel }: MemberFormProps) {
  const { role: mine } = useMe();
  const [fields, setFields] = useState(initial);
  const change = (changed: Partial<MemberFields>) => setFields((now) => ({ ...now, ...changed }));
  const errors = fieldErrors(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(fields);
  };
  return (
    <LateForm className={shared.story} onSubmit={submit}>
      {isNew ? (
        <TextInput
          label="Email"
          type="email"
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
          value={fields.email}
          onChange={(event) => change({ email: event.currentTarget.value })}
          error={errors.email}
        />
      ) : null}
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        autoComplete="off"
        maxLength={100}
        data-autofocus={!isNew || undefined}
        value={fields.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errors.name}
      />
      {isNew ? (
        <Select
          label="Role"
          data={roleChoices(mine)}
          value={fields.role}
          allowDeselect={false}
          onChange={(role) => {
            if (role) change({ role });
          }}
        />
      ) : null}
      {hasPassword ? (
        <PasswordInput
          label="New password"
          description="Empty keeps the current password. A new password signs the member out everywhere"
          withAsterisk={false}
          minLength={12}
          autoComplete="new-password"
          value={fields.password}
          onChange={(event) => change({ password: event.currentTarget.value })}
          error={errors.password}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0, "aria-hidden": false }}
        />
      ) : null}
      <FormError error={error} />
      <FormButtons submit={action} isSaving={busy} onCancel={onCancel} />
    </LateForm>
  );
}
