"use client";

import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";

type Removal = {
  name: string;
  /** Noun of the row: "data source". */
  noun: string;
  /** Sentence about what is lost with the row. */
  loss: ReactNode;
  remove: () => Promise<unknown>;
  /** Leaves what showed the row. */
  onRemoved?: () => void;
  /** Reads the lists again that had the row. */
  refresh: () => Promise<unknown>;
};

/** Asks for confirmation, then removes a row. A refusal is shown in the dialog. */
export function confirmRemoval({ name, noun, loss, remove, onRemoved, refresh }: Removal): void {
  void confirmAction({
    title: `Remove ${name}`,
    children: loss,
    action: `Remove ${noun}`,
    onConfirm: async () => {
      await remove();
      onRemoved?.();
      notifications.show({ message: spellHidden(`${name} is removed`) });
      await refresh();
    },
  });
}
