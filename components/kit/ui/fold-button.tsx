import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";

type FoldButtonProps = ButtonProps & { isOpen: boolean; onToggle: () => void; children: ReactNode };

/** Shows and hides further content. */
export function FoldButton({ isOpen, onToggle, ...button }: FoldButtonProps) {
  return <Button variant="subtle" color="gray" size="compact-sm" aria-expanded={isOpen} onClick={onToggle} {...button} />;
}
