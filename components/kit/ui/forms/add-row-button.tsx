import { Button, type ButtonProps } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** Adds a row to a list of fields. */
export function AddRowButton(button: ButtonProps & { onClick: () => void; children: ReactNode }) {
  return <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} {...button} />;
}
