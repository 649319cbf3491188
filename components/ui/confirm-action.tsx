"use client";

import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { type FormEvent, type ReactNode, useState } from "react";
import { sentenceOf } from "@/components/api/sentence-of";
import { MachineText } from "./machine-text";

type Confirmation = {
  title: string;
  /** What will happen, and what cannot be undone. */
  children: ReactNode;
  /** The verb on the button: "Delete server". */
  action: string;
  /** Must be typed first; for what hurts most. */
  word?: string;
  /** The dialog stays open with the reason when this fails. */
  onConfirm: () => Promise<unknown>;
};

/** Asks before doing what hurts. */
export function confirmAction(confirmation: Confirmation) {
  const id = modals.open({
    title: confirmation.title,
    children: <ConfirmForm {...confirmation} close={() => modals.close(id)} />,
  });
}

function ConfirmForm({ children, action, word, onConfirm, close }: Confirmation & { close: () => void }) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      close();
    } catch (caught) {
      setError(sentenceOf(caught));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text component="div">{children}</Text>
        {word ? (
          <TextInput
            label={
              <>
                Type <MachineText>{word}</MachineText> to confirm
              </>
            }
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        ) : null}
        {error ? (
          <Text c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} {...(word ? {} : { "data-autofocus": true })}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={busy} disabled={word !== undefined && typed !== word}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
