import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";

const shownMs = 12_000;

/** Notifies about a change and offers to undo it. */
export function offerUndo(change: ReactNode, undo: () => void): void {
  const id = notifications.show({
    autoClose: shownMs,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span className={shared.fluid}>
          <RevealedText text={change} />
        </span>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
