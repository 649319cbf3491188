"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { RiskMark } from "@/components/kit/ui/badges/risk-mark";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { useReturnFocus } from "@/components/kit/ui/overlays/use-return-focus";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { InboxRow } from "@/contracts/approvals/approvals";
import classes from "./bulk-decision.module.css";
import { decisionOutbox } from "./decision-outbox";
import { countShapes, splitDecidable } from "./split-decidable";
import { holdMsFor, useUndoSetting } from "./undo-setting";

type BulkDecisionProps = {
  decision: "approve" | "reject" | null;
  rows: readonly InboxRow[];
  comment: string;
  onComment: (comment: string) => void;
  onClose: () => void;
  onDecided: () => void;
};

const shapesShown = 8;

/** Asks for confirmation before several approvals are decided, and lists the kinds of calls. */
export function BulkDecision({ decision, rows, ...rest }: BulkDecisionProps) {
  useReturnFocus(decision !== null);
  const [shown, setShown] = useState<"approve" | "reject">("approve");
  // Keeps the verb of the last decision while the dialog fades out.
  if (decision !== null && decision !== shown) setShown(decision);
  const { together, leftOut } = decision === null ? { together: [], leftOut: [] } : splitDecidable(rows, decision);
  const count = `${together.length.toLocaleString("en")} ${together.length === 1 ? "call" : "calls"}`;
  return (
    <Modal opened={decision !== null} onClose={rest.onClose} title={`${shown === "approve" ? "Approve" : "Reject"} ${count}?`}>
      <BulkForm decision={shown} together={together} leftOut={leftOut} {...rest} />
    </Modal>
  );
}

type BulkFormProps = Pick<BulkDecisionProps, "comment" | "onComment" | "onClose" | "onDecided"> & {
  decision: "approve" | "reject";
  together: readonly InboxRow[];
  leftOut: readonly { row: InboxRow; reason: string }[];
};

function BulkForm({ decision, together, leftOut, comment, onComment, onClose, onDecided }: BulkFormProps) {
  const undo = useUndoSetting();
  const shapes = countShapes(together);
  const reasons = Map.groupBy(leftOut, ({ reason }) => reason);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const alone = together.length === 1 ? together[0] : undefined;
    decisionOutbox.hold(
      together.map(({ id }) => ({ id, decision, comment: comment.trim(), ...(alone ? { row: alone } : {}) })),
      holdMsFor(
        undo.isOn,
        together.map(({ expiresAt }) => expiresAt),
        Date.now(),
      ),
      together,
    );
    onDecided();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <ul className={classes.shapes}>
          {shapes.slice(0, shapesShown).map(({ shape, count, worstRisk }) => (
            <li key={shape} className={classes.shape}>
              <span className={classes.number} data-numeric>
                {count.toLocaleString("en")}
              </span>
              <code className={`${classes.words} ${shared.oneLine}`}>
                <RevealedText text={shape} />
              </code>
              <RiskMark risk={worstRisk} />
            </li>
          ))}
        </ul>
        {shapes.length > shapesShown ? <Text c="dimmed">and {shapes.length - shapesShown} more kinds of calls</Text> : null}
        {[...reasons].map(([reason, rows]) => (
          <Text key={reason} c="dimmed">
            {rows.length} left out: <RevealedText text={reason} />
          </Text>
        ))}
        {decision === "reject" ? (
          <AutosizeTextarea
            label="Reason (sent to the model)"
            rows={[2, 6]}
            maxLength={2_000}
            value={comment}
            onChange={(event) => onComment(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.setSelectionRange(comment.length, comment.length)}
            data-autofocus
          />
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={decision === "approve" ? "green" : "red"}
            disabled={together.length === 0}
            {...(decision === "approve" ? { "data-autofocus": true } : {})}
          >
            {decision === "approve" ? "Approve" : "Reject"} {together.length.toLocaleString("en")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
