import { Button } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";

/** Opens and closes the explanation of a decision. */
export function WhyButton({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={<Chevron size={14} aria-hidden />}
      aria-expanded={open}
      onClick={onToggle}
    >
      Why
    </Button>
  );
}
