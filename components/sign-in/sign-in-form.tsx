"use client";

import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { IconAlertCircle, IconLogin2 } from "@tabler/icons-react";
import { signIn } from "next-auth/react";
import { type FormEvent, useState } from "react";
import { refusalSentence } from "./refusal-sentence";

type SignInFormProps = {
  /** Where to go afterwards; a path of our own. */
  destination: string;
  /** Code of a refusal by the identity provider. */
  refusal: string | null;
  /** Name of the identity provider; null when there is none. */
  provider: string | null;
};

/** E-mail and password, or the identity provider where there is one. */
export function SignInForm({ destination, refusal: firstRefusal, provider }: SignInFormProps) {
  const [refusal, setRefusal] = useState(firstRefusal);
  const [busy, setBusy] = useState<"password" | "provider" | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setBusy("password");
    setRefusal(null);
    const answer = await signIn("credentials", { redirect: false, email: given.get("email"), password: given.get("password") }).catch(
      () => null,
    );
    if (answer?.ok && !answer.error) {
      // A full load: nothing that an earlier session fetched stays in memory.
      window.location.assign(destination);
      return;
    }
    setRefusal(answer?.error ?? "unavailable");
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
          <TextInput name="email" type="email" label="E-mail" required withAsterisk={false} autoComplete="username" autoFocus size="md" />
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
              void signIn("oidc", { callbackUrl: destination });
            }}
          >
            Continue with {provider}
          </Button>
        </>
      ) : null}
    </Stack>
  );
}
