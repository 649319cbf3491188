"use client";

import { Button, Textarea } from "@mantine/core";
import { IconCheck, IconKey, IconMessage, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { sentenceOf } from "@/components/api/sentence-of";
import { useRefusal } from "@/components/shell/me";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { useNow } from "@/components/ui/now";
import type { Approval, ApprovalAnswer } from "@/contracts/approvals";
import classes from "./answer-form.module.css";
import { RememberFields, rememberedBy, rememberNothing, whyIncomplete } from "./remember-fields";
import { timeLeft } from "./time-left";

type AnswerFormProps = { approval: Approval; error: unknown; busy: boolean; onAnswer: (answer: ApprovalAnswer) => void };

const longestComment = 2_000;

/** Approve with one click; Reject asks first for the sentence that the model will read. */
export function AnswerForm({ approval, error, busy, onAnswer }: AnswerFormProps) {
  const [mode, setMode] = useState<"buttons" | "comment" | "reject" | "remember">("buttons");
  const [remembered, setRemembered] = useState(rememberNothing);
  const [comment, setComment] = useState("");
  const refusal = useRefusal("approvals:decide");
  const { isOver } = timeLeft(approval.expiresAt, useNow());
  const reason = refusal ?? (isOver ? "The time for this approval is up." : null);
  const incomplete = mode === "remember" ? whyIncomplete(remembered) : null;
  const disabled = reason !== null || busy;
  const approve = () => onAnswer({ decision: "approve", comment: comment.trim(), ...rememberedBy(remembered) });
  const reject = () => onAnswer({ decision: "reject", comment: comment.trim() });
  const rejectButton = useRef<HTMLButtonElement>(null);
  /** Back to the buttons, and the focus to where it was before. */
  const goBack = () => {
    flushSync(() => setMode("buttons"));
    rejectButton.current?.focus();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      // A drawer around the form stays open.
      event.stopPropagation();
      goBack();
    }
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && mode === "reject" && !disabled) reject();
  };

  return (
    <div className={classes.form}>
      {error ? (
        <p className={classes.error} role="alert">
          {sentenceOf(error)}
        </p>
      ) : null}
      {mode === "remember" ? (
        <RememberFields primaryArgument={approval.tool.primaryArgument} choice={remembered} onChange={setRemembered} />
      ) : null}
      {mode === "buttons" || mode === "remember" ? null : (
        <Textarea
          label={mode === "reject" ? "What should the agent know?" : "Comment"}
          description={
            mode === "reject"
              ? "The model reads this sentence as the result of its call, and the turn goes on."
              : "Kept with the decision. When you reject, the model reads it."
          }
          placeholder={mode === "reject" ? "Use the staging folder instead." : undefined}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={longestComment}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
          onKeyDown={keys}
          ref={(field) => field?.focus()}
        />
      )}
      <DisabledReason reason={reason ?? incomplete}>
        <div className={classes.buttons}>
          {mode === "reject" ? (
            <>
              <Button className={classes.big} color="red" disabled={disabled} loading={busy} onClick={reject}>
                Reject the call
              </Button>
              <Button className={classes.big} variant="default" onClick={goBack}>
                Back
              </Button>
            </>
          ) : (
            <>
              <Button
                className={classes.big}
                color="green"
                leftSection={<IconCheck size={17} aria-hidden />}
                disabled={disabled || incomplete !== null}
                loading={busy}
                onClick={approve}
                data-action="approve"
              >
                {remembered.scope === null ? "Approve" : "Approve and allow"}
              </Button>
              <Button
                className={classes.big}
                variant="default"
                leftSection={<IconX size={17} aria-hidden />}
                disabled={disabled}
                onClick={() => setMode("reject")}
                ref={rejectButton}
                data-action="reject"
              >
                Reject
              </Button>
            </>
          )}
        </div>
      </DisabledReason>
      {mode === "buttons" && reason === null ? (
        <div className={classes.more}>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconMessage size={14} aria-hidden />}
            onClick={() => setMode("comment")}
          >
            Add a comment
          </Button>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconKey size={14} aria-hidden />}
            onClick={() => setMode("remember")}
          >
            Always allow this
          </Button>
        </div>
      ) : null}
    </div>
  );
}
