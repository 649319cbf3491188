"use client";

import { CodeText } from "@/components/kit/ui/code-text";
import { CopyButton } from "@/components/kit/ui/copy-button";
import shared from "@/components/kit/ui/shared.module.css";
import { type MessengerPlatform, type MessengerTransport, platformFacts } from "@/contracts/browser/messenger-platforms";

type PlatformStepsProps = {
  platform: MessengerPlatform;
  transport: MessengerTransport;
  /** The callback address; null before the messenger is saved, or for a connection. */
  address: string | null;
};

/** The steps on the platform, with the callback address to copy. */
export function PlatformSteps({ platform, transport, address }: PlatformStepsProps) {
  const steps = platformFacts[platform].steps[transport] ?? [];
  const shown = address ?? "the callback address, which this page shows once the messenger is saved";
  return (
    <section aria-label={`Steps on ${platformFacts[platform].title}`}>
      <ol className={shared.note}>
        {steps.map((step) => (
          <li key={step}>{step.replace("{address}", shown)}</li>
        ))}
      </ol>
      {address ? (
        <p>
          <CodeText>{address}</CodeText> <CopyButton text={address} what="callback address" />
        </p>
      ) : null}
    </section>
  );
}
