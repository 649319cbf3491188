"use client";

import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useShortcuts } from "@/components/kit/keyboard/shortcuts";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";

type AddButtonProps = { noun: string; page: { title: string; refusal: string | null; add: () => void } };

/** Opens the form for a new row, also by the key `n`. */
export function AddButton({ noun, page: { title, refusal, add } }: AddButtonProps) {
  const isRefused = refusal !== null;
  useShortcuts([{ keys: "n", label: `Add a ${noun}`, group: title, run: () => isRefused || add() }]);
  return (
    <DisabledReason reason={refusal}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={isRefused} onClick={add}>
        Add {noun}
      </Button>
    </DisabledReason>
  );
}
