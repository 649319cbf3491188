"use client";

import { Button } from "@mantine/core";
import { useNow } from "@/components/kit/ui/text/now";
import { decisionOutbox, useOutbox } from "./decision-outbox";
import type { Outcome } from "./outbox";
import classes from "./undo-note.module.css";

/** A held decision, with buttons to undo it or to send it now. */
export function UndoNote({ outcome }: { outcome: Extract<Outcome, { batch: string }> }) {
  const { batches } = useOutbox();
  const batch = batches.find(({ id }) => id === outcome.batch);
  const words = outcome.decision.answer !== undefined ? "Answering" : outcome.decision.decision === "approve" ? "Approving" : "Rejecting";
  return (
    <div className={classes.note} role="status">
      {outcome.state === "held" && batch ? (
        <>
          <span className={classes.words}>
            {words} in <SecondsUntil at={batch.sendAt} />
          </span>
          <Button variant="default" size="compact-md" onClick={() => decisionOutbox.undo(batch.id)} data-action="undo">
            Undo
          </Button>
          <Button variant="subtle" color="gray" size="compact-md" onClick={() => void decisionOutbox.sendNow(batch.id)}>
            Send now
          </Button>
        </>
      ) : (
        <span className={classes.words}>Sending…</span>
      )}
    </div>
  );
}

export function SecondsUntil({ at }: { at: number }) {
  const seconds = Math.max(1, Math.ceil((at - useNow()) / 1_000));
  return <span aria-hidden>{Math.min(seconds, 5)} s</span>;
}
