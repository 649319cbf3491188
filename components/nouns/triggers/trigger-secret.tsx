"use client";

import { Alert, Button, Modal } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import type { TriggerWithSecret } from "@/contracts/automation/triggers";

/** Shows the secret of a trigger's webhook, which cannot be shown again. */
export function TriggerSecret({ trigger, onDone }: { trigger: TriggerWithSecret; onDone: () => void }) {
  return (
    <Modal
      opened
      onClose={onDone}
      title={spellHidden(`Secret of ${trigger.name}`)}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={shared.story}>
        <Alert color="yellow" icon={<IconEyeOff aria-hidden />}>
          Copy the secret now: it is not shown again. The caller sends it as a bearer token, or signs the body with it in the header
          X-Hub-Signature-256.
        </Alert>
        <CodeBlock label="Address" text={trigger.address ?? ""} />
        <CodeBlock label="Secret" text={trigger.secret ?? ""} />
        <div className={shared.buttons}>
          <Button onClick={onDone} data-autofocus>
            I have copied it
          </Button>
        </div>
      </div>
    </Modal>
  );
}
