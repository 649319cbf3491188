"use client";

import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { type FormEvent, type ReactNode, useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { CodeText } from "../text/code-text";
import { RevealedText } from "../text/revealed-text";
import { overlaysReady } from "./overlays-ready";

type Confirmation = {
  title: string;
  /** Consequences of the action, including those that cannot be undone. */
  children: ReactNode;
  /** Verb on the button: "Delete server". */
  action: string;
  /** Label of the button that changes nothing: "Keep running". */
  keep?: string;
  /** Word that the person must type first, for the most harmful actions. */
  word?: string;
  /** The action harms nothing, so that its button has no warning colour. */
  isHarmless?: boolean;
  /** Runs when the dialog is closed, after the action or without it. */
  onClose?: () => void;
  /** Runs the action; after a failure the dialog stays open with the reason. */
  onConfirm: () => Promise<unknown>;
};

/** Asks for confirmation before a harmful action. */
export async function confirmAction(confirmation: Confirmation): Promise<void> {
  await overlaysReady;
  const id = modals.open({
    title: <RevealedText text={confirmation.title} />,
    children: <ConfirmForm {...confirmation} close={() => modals.close(id)} />,
    ...(confirmation.onClose ? { onClose: confirmation.onClose } : {}),
  });
}

function ConfirmForm({
  children,
  action,
  keep = "Cancel",
  word,
  isHarmless = false,
  onConfirm,
  close,
}: Confirmation & { close: () => void }) {
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
      setError(toErrorSentence(caught));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text component="div">
          <RevealedText text={children} />
        </Text>
        {word ? (
          <TextInput
            label={
              <>
                Type <CodeText>{word}</CodeText> to confirm
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
            <RevealedText text={error} />
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} {...(word ? {} : { "data-autofocus": true })}>
            {keep}
          </Button>
          <Button type="submit" {...(isHarmless ? {} : { color: "red" })} loading={busy} disabled={word !== undefined && typed !== word}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
