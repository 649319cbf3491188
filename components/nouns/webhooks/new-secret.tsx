"use client";

import { Alert, Button, Modal } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import type { WebhookWithSecret } from "@/contracts/hooks/webhooks";

/** Shows the secret of a webhook, which cannot be shown again. */
export function NewSecret({ webhook, onDone }: { webhook: WebhookWithSecret | null; onDone: () => void }) {
  return (
    <Modal
      opened={webhook !== null}
      onClose={onDone}
      title={spellHidden(`Secret of ${webhook?.name ?? "the webhook"}`)}
      size="lg"
      // A click beside the dialog must not close it, because the secret is shown only once.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={shared.story}>
        <Alert color="yellow" icon={<IconEyeOff aria-hidden />}>
          Copy the secret now: it is not shown again. The receiver checks the header Handrail-Signature with it. If the secret is lost,
          rotate it.
        </Alert>
        <CodeBlock label="Secret" text={webhook?.secret ?? ""} />
        <div className={shared.buttons}>
          <Button onClick={onDone} data-autofocus>
            I have copied it
          </Button>
        </div>
      </div>
    </Modal>
  );
}
