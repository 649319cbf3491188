"use client";

import { IconKey } from "@tabler/icons-react";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";

type RotateSecretProps = {
  name: string;
  effect: string;
  /** Reason against a rotation; null when the person may rotate. */
  refusal: string | null;
  rotate: () => Promise<void>;
};

/** Replaces the secret of a resource after a confirmation; `effect` is a sentence about the use of the old secret afterwards. */
export function RotateSecret({ name, effect, refusal, rotate }: RotateSecretProps) {
  const ask = () => confirmAction({ title: `Rotate the secret of ${name}`, children: effect, action: "Rotate secret", onConfirm: rotate });
  return (
    <RefusableButton refusal={refusal} variant="default" leftSection={<IconKey size={16} aria-hidden />} onClick={ask}>
      Rotate secret
    </RefusableButton>
  );
}
