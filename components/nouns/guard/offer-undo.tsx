import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./offer-undo.module.css";

const shownMs = 10_000;

/** Notifies about a change and offers to undo it. */
export function offerUndo({ title, onUndo }: { title: string; onUndo: () => Promise<unknown> }) {
  const id = notifications.show({
    autoClose: shownMs,
    message: (
      <div className={classes.undo}>
        <span>
          <RevealedText text={title} />
        </span>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            notifications.hide(id);
            // The mutation itself notifies about errors.
            onUndo().catch(() => undefined);
          }}
        >
          Undo
        </Button>
      </div>
    ),
  });
}
