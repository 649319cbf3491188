"use client";

import { Alert, Button, Modal } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import { MachineBlock } from "@/components/ui/machine-block";
import type { WebhookWithSecret } from "@/contracts/webhooks";
import classes from "./webhooks.module.css";

/** The one time that the secret of a webhook is shown. */
export function NewSecret({ webhook, onDone }: { webhook: WebhookWithSecret | null; onDone: () => void }) {
  return (
    <Modal
      opened={webhook !== null}
      onClose={onDone}
      title={`Secret of ${webhook?.name ?? "the webhook"}`}
      size="lg"
      // A slip beside the dialog must not lose a secret that nobody will see again.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={classes.story}>
        <Alert color="yellow" icon={<IconEyeOff aria-hidden />}>
          Copy the secret now: it is not shown again. The receiver checks the header Handrail-Signature with it. When it gets lost, rotate
          it.
        </Alert>
        <MachineBlock label="Secret" text={webhook?.secret ?? ""} />
        <div className={classes.buttons}>
          <Button onClick={onDone} data-autofocus>
            I have copied it
          </Button>
        </div>
      </div>
    </Modal>
  );
}
