"use client";

import { Button } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import type { Approval } from "@/contracts/approvals/approvals";
import type { Refusal } from "../outbox/outbox";
import classes from "./answer-form.module.css";
import { AnswerRefusal } from "./answer-refusal";
import { CommentField } from "./comment-field";
import type { AnswerDraft } from "./use-answer-draft";
import { useDecideRefusal } from "./use-decide-refusal";

type RejectFormProps = {
  approval: Pick<Approval, "kind" | "expiresAt" | "mayDecide">;
  draft: AnswerDraft;
  /** Why the last answer was refused. */
  refusal: Refusal | null;
  onReject: (comment: string) => void;
  onBack: () => void;
};

/** The reason of a rejection. It needs only the inbox line, so that it takes letters before the call's detail is there. */
export function RejectForm({ approval, draft, refusal, onReject, onBack }: RejectFormProps) {
  const { comment, setComment } = draft;
  const reason = useDecideRefusal(approval);
  const reject = () => {
    if (reason === null) onReject(comment.trim());
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      // Keeps a drawer around the form open.
      event.stopPropagation();
      onBack();
    }
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) reject();
  };
  return (
    <div className={`${classes.form} ${shared.stackClose}`}>
      <AnswerRefusal refusal={refusal} />
      <CommentField
        label="Reason (sent to the model)"
        placeholder="Use the staging folder instead."
        comment={comment}
        onChange={setComment}
        onKeyDown={keys}
      />
      <DisabledReason reason={reason}>
        <div className={classes.buttons}>
          <Button className={classes.big} color="red" disabled={reason !== null} onClick={reject}>
            Reject
          </Button>
          <Button className={classes.big} variant="default" onClick={onBack}>
            Back
          </Button>
        </div>
      </DisabledReason>
    </div>
  );
}
