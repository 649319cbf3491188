import { Button } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { QueuedMessage } from "./queued-message";
import classes from "./queued-note.module.css";

type QueuedNoteProps = {
  queued: QueuedMessage;
  /** The run goes on; otherwise it ended without an answer, and a person decides. */
  isWorking: boolean;
  isSending: boolean;
  onSend: () => void;
  /** Puts the message back into the field. */
  onEdit: () => void;
  onCancel: () => void;
};

/** A message that waits in this browser for the end of the run. */
export function QueuedNote({ queued, isWorking, isSending, onSend, onEdit, onCancel }: QueuedNoteProps) {
  return (
    <div className={classes.note} role="status">
      <IconClock size={15} aria-hidden className={shared.dimIcon} />
      <p className={classes.words}>
        <strong>{isWorking ? "Queued. Sent when the agent is done." : "Not sent yet."}</strong>{" "}
        <span className={classes.text}>
          <RevealedText text={queued.text} />
        </span>
      </p>
      <span className={classes.buttons}>
        {isWorking ? null : (
          <Button size="compact-sm" loading={isSending} onClick={onSend}>
            Send now
          </Button>
        )}
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onEdit}>
          Edit
        </Button>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onCancel}>
          Cancel
        </Button>
      </span>
    </div>
  );
}
