"use client";

import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";

/** A filter from a link, shown as a button that removes the filter. */
export function RemovableFilter({ label, onRemove, compact = false }: { label: string; onRemove: () => void; compact?: boolean }) {
  return (
    <Button variant="default" size={compact ? "compact-sm" : undefined} rightSection={<IconX size={14} aria-hidden />} onClick={onRemove}>
      {label}
    </Button>
  );
}
