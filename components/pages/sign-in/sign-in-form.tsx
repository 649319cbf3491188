"use client";

import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { IconAlertCircle, IconLogin2 } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { signInWithPassword, signInWithProvider } from "@/components/kit/session/session-requests";
import { refusalSentence } from "./refusal-sentence";

type SignInFormProps = {
  /** Local path to open after the sign-in. */
  destination: string;
  /** Code of a refusal by the identity provider. */
  refusal: string | null;
  /** Name of the identity provider; null when there is none. */
  provider: string | null;
};

/** Sign-in with email and password, or with the identity provider when there is one. */
export function SignInForm({ destination, refusal: firstRefusal, provider }: SignInFormProps) {
  const [refusal, setRefusal] = useState(firstRefusal);
  const [busy, setBusy] = useState<"password" | "provider" | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setBusy("password");
    setRefusal(null);
    const refused = await signInWithPassword(String(given.get("email")), String(given.get("password"))).catch(() => "unavailable");
    if (refused === null) {
      // A full page load clears all data that an earlier session fetched.
      window.location.assign(destination);
      return;
    }
    setRefusal(refused);
    setBusy(null);
  };

  return (
    <Stack gap="md">
      {refusal ? (
        <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
          {refusalSentence(refusal)}
        </Alert>
      ) : null}
      <form method="post" onSubmit={submit}>
        <Stack gap="sm">
          <TextInput name="email" type="email" label="Email" required withAsterisk={false} autoComplete="username" autoFocus size="md" />
          <PasswordInput
            name="password"
            label="Password"
            required
            withAsterisk={false}
            autoComplete="current-password"
            size="md"
            visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0, "aria-hidden": false }}
          />
          <Button type="submit" size="md" mt="xs" fullWidth loading={busy === "password"} disabled={busy === "provider"}>
            Sign in
          </Button>
        </Stack>
      </form>
      {provider ? (
        <>
          <Divider label="or" />
          <Button
            variant="default"
            size="md"
            fullWidth
            leftSection={<IconLogin2 size={18} aria-hidden />}
            loading={busy === "provider"}
            disabled={busy === "password"}
            onClick={() => {
              setBusy("provider");
              void signInWithProvider(destination);
            }}
          >
            Continue with {provider}
          </Button>
        </>
      ) : null}
    </Stack>
  );
}
