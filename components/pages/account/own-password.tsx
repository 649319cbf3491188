"use client";

import { Modal, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "@/components/kit/api/call";
import { fieldErrors } from "@/components/kit/api/field-errors";
import { FormButtons } from "@/components/kit/ui/forms/form-buttons";
import { FormError } from "@/components/kit/ui/forms/form-error";
import { identityEndpoints } from "@/contracts/browser/identity/identity";
import { signOutHere } from "./sign-out-here";

const toggle = { "aria-label": "Show or hide the password", tabIndex: 0, "aria-hidden": false };

/** Changes the password of the signed-in person, who then signs in again. */
export function OwnPassword({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(identityEndpoints.changePassword, { body: { currentPassword, newPassword } }),
    onSuccess: signOutHere,
  });
  const errors = fieldErrors(save.error);
  const close = () => {
    save.reset();
    setCurrent("");
    setNew("");
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened={opened} onClose={close} title="Change password">
      <form onSubmit={submit}>
        <Stack gap="md">
          <PasswordInput
            label="Current password"
            required
            withAsterisk={false}
            autoComplete="current-password"
            data-autofocus
            value={currentPassword}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            error={errors.currentPassword}
            visibilityToggleButtonProps={toggle}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters. You sign in again everywhere"
            required
            withAsterisk={false}
            minLength={12}
            autoComplete="new-password"
            value={newPassword}
            onChange={(event) => setNew(event.currentTarget.value)}
            error={errors.newPassword}
            visibilityToggleButtonProps={toggle}
          />
          <FormError error={save.error} />
          <FormButtons submit="Change password" isSaving={save.isPending || save.isSuccess} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  );
}
