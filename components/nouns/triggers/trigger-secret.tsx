"use client";

import { SecretDialog } from "@/components/kit/resources/one-time-secret";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import type { TriggerWithSecret } from "@/contracts/automation/triggers";

const words =
  "Copy the secret now: it is not shown again. The caller sends it as a bearer token, or signs the body with it in the header X-Hub-Signature-256.";

/** Shows the secret of a trigger's webhook, which cannot be shown again. */
export function TriggerSecret({ trigger: { name, address, secret }, onDone }: { trigger: TriggerWithSecret; onDone: () => void }) {
  return (
    <SecretDialog name={name} words={words} onDone={onDone}>
      <CodeBlock label="Address" text={address ?? ""} />
      <CodeBlock label="Secret" text={secret ?? ""} />
    </SecretDialog>
  );
}
