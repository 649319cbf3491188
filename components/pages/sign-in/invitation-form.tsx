"use client";

import { Alert, Button, PasswordInput, Stack } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import Link from "next/link";
import { type FormEvent, useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors } from "@/components/kit/api/field-errors";
import { identityEndpoints } from "@/contracts/browser/identity/identity";

/** A person who was invited chooses a password. The token stands behind the # of the address. */
export function InvitationForm() {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [email, setEmail] = useState<string | null>(null);
  const errors = fieldErrors(error);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    setIsBusy(true);
    setError(null);
    try {
      const accepted = await call(identityEndpoints.acceptInvitation, { body: { token: window.location.hash.slice(1), password } });
      setEmail(accepted.email);
    } catch (refused) {
      setError(refused);
    } finally {
      setIsBusy(false);
    }
  };

  if (email !== null) {
    return (
      <Stack gap="md">
        <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status">
          Your password is set. Sign in as {email}.
        </Alert>
        <Button component={Link} href="/sign-in" size="md" fullWidth>
          Sign in
        </Button>
      </Stack>
    );
  }
  return (
    <form method="post" onSubmit={submit}>
      <Stack gap="sm">
        {error && Object.keys(errors).length === 0 ? (
          <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
            {toErrorSentence(error)}
          </Alert>
        ) : null}
        <PasswordInput
          name="password"
          label="Password"
          description="At least 12 characters"
          required
          withAsterisk={false}
          minLength={12}
          maxLength={200}
          autoComplete="new-password"
          autoFocus
          size="md"
          error={errors.password}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0, "aria-hidden": false }}
        />
        <Button type="submit" size="md" mt="xs" fullWidth loading={isBusy}>
          Set password
        </Button>
      </Stack>
    </form>
  );
}
