"use client";

import { Button } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";

/** Replaces the secret of a resource after a confirmation; `effect` is a sentence about the use of the old secret afterwards. */
export function RotateSecret({ name, effect, rotate }: { name: string; effect: string; rotate: () => Promise<void> }) {
  const ask = () => confirmAction({ title: `Rotate the secret of ${name}`, children: effect, action: "Rotate secret", onConfirm: rotate });
  return (
    <Button variant="default" leftSection={<IconKey size={16} aria-hidden />} onClick={ask}>
      Rotate secret
    </Button>
  );
}
