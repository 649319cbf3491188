"use client";

import { Alert, Button, Modal } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";

type OneTimeSecretProps = {
  /** Sentences about the use of the secret and its loss. */
  words: string;
  onDone: () => void;
  /** The secret, as a `CodeBlock`. */
  children: ReactNode;
};

/** A secret that cannot be shown again. */
export function OneTimeSecret({ words, onDone, children }: OneTimeSecretProps) {
  return (
    <div className={shared.story}>
      <Alert color="yellow" icon={<IconEyeOff aria-hidden />}>
        {words}
      </Alert>
      {children}
      <div className={shared.buttons}>
        <Button onClick={onDone} data-autofocus>
          I have copied it
        </Button>
      </div>
    </div>
  );
}

/** A dialog with a secret of the row `name`; it closes by its button only, because the secret is shown once. */
export function SecretDialog({ name, ...secret }: OneTimeSecretProps & { name: string }) {
  return (
    <Modal
      opened
      onClose={secret.onDone}
      title={spellHidden(`Secret of ${name}`)}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <OneTimeSecret {...secret} />
    </Modal>
  );
}
