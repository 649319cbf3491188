"use client";

import { SecretDialog } from "@/components/kit/resources/one-time-secret";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import type { WebhookWithSecret } from "@/contracts/hooks/webhooks";

const words =
  "Copy the secret now: it is not shown again. The receiver checks the header Handrail-Signature with it. If the secret is lost, rotate it.";

/** Shows the secret of a webhook, which cannot be shown again. */
export function WebhookSecret({ webhook: { name, secret }, onDone }: { webhook: WebhookWithSecret; onDone: () => void }) {
  return (
    <SecretDialog name={name} words={words} onDone={onDone}>
      <CodeBlock label="Secret" text={secret} />
    </SecretDialog>
  );
}
