import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { RevealedText } from "../text/revealed-text";
import classes from "./offer-undo.module.css";

const shownMs = 12_000;

/** Notifies about a change and offers to undo it. */
export function offerUndo(change: ReactNode, undo: () => void): void {
  const id = notifications.show({
    autoClose: shownMs,
    message: (
      <div className={classes.undo}>
        <span>
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
      </div>
    ),
  });
}
