"use client";

import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { CopyButton } from "@/components/kit/ui/text/copy-button";
import { type MessengerPlatform, type MessengerTransport, platformFacts } from "@/contracts/browser/messengers/messenger-platforms";

type PlatformStepsProps = {
  platform: MessengerPlatform;
  transport: MessengerTransport;
  /** The callback address; null before the messenger is saved, or for a connection. */
  address: string | null;
};

/** The steps on the platform, with the callback address to copy. */
export function PlatformSteps({ platform, transport, address }: PlatformStepsProps) {
  const { steps: stepsOf, pasted, title } = platformFacts[platform];
  const steps = stepsOf[transport] ?? [];
  const toCopy = address && pasted ? lineOf(pasted, address) : address;
  const shown = address ?? "the callback address, which this page shows once the messenger is saved";
  return (
    <section aria-label={`Steps on ${title}`}>
      <ol className={shared.note}>
        {steps.map((step) => (
          <li key={step}>{step.replace("{address}", shown)}</li>
        ))}
      </ol>
      {toCopy ? (
        <p>
          <CodeText>{toCopy}</CodeText> <CopyButton text={toCopy} what={pasted ? "line for the pages" : "callback address"} />
        </p>
      ) : (
        pasted && <p className={shared.note}>The line stands here once the messenger is saved.</p>
      )}
    </section>
  );
}

/** @param address ends in `/messengers/<id>/visits` */
function lineOf(pasted: string, address: string): string {
  const { origin, pathname } = new URL(address);
  return pasted.replace("{origin}", origin).replace("{id}", pathname.split("/").at(-2) ?? "");
}
