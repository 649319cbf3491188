import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { FoldButton } from "./fold-button";

/** Opens and closes the explanation of a decision. */
export function WhyButton({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <FoldButton isOpen={open} onToggle={onToggle} size="compact-xs" leftSection={<Chevron size={14} aria-hidden />}>
      Why
    </FoldButton>
  );
}
