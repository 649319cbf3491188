"use client";

import { Button, Group, Modal, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors } from "@/components/kit/api/field-errors";
import classes from "@/components/kit/settings-frame/settings.module.css";
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
          {save.error && Object.keys(errors).length === 0 ? (
            <p role="alert" className={classes.error}>
              {toErrorSentence(save.error)}
            </p>
          ) : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending || save.isSuccess}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
