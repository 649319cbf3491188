import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import classes from "./offer-undo.module.css";

const shownMs = 10_000;

/** Says what was done, and takes it back on request. */
export function offerUndo({ title, onUndo }: { title: string; onUndo: () => Promise<unknown> }) {
  const id = notifications.show({
    autoClose: shownMs,
    message: (
      <div className={classes.undo}>
        <span>{title}</span>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            notifications.hide(id);
            // What goes wrong is told by the mutation's own notification.
            onUndo().catch(() => undefined);
          }}
        >
          Undo
        </Button>
      </div>
    ),
  });
}
