"use client";

import { useRef } from "react";
import { useIsConnectionLost } from "@/components/api/connection-note";
import type { Approval, ApprovalAnswer } from "@/contracts/approvals";
import { AnswerForm } from "./answer-form";
import classes from "./answer-panel.module.css";
import { AnswerQuestionForm } from "./answer-question-form";
import { ApprovalOutcome } from "./approval-outcome";
import { decisionOutbox, unreachable, useOutcome } from "./decision-outbox";
import { toInboxRow } from "./to-inbox-row";
import { UndoNote } from "./undo-note";
import { holdMsFor, useUndoSetting } from "./undo-setting";
import { useAnswerDraft } from "./use-answer-draft";

/** The answer to one approval: the form, a decision that can still be undone, or the outcome. */
export function AnswerPanel({ approval }: { approval: Approval }) {
  const outcome = useOutcome(approval.id);
  const draft = useAnswerDraft(approval.id);
  const undo = useUndoSetting();
  const panel = useRef<HTMLDivElement>(null);

  const answer = (given: ApprovalAnswer) => {
    const isChecked = isCheckedFirst(given);
    const holdMs = isChecked ? 0 : holdMsFor(undo.isOn, [approval.expiresAt], Date.now());
    // Moves the focus to the panel, because the buttons disappear and the outcome is read out here.
    if (!isChecked) panel.current?.focus();
    decisionOutbox.hold([{ ...given, id: approval.id, row: toInboxRow(approval) }], holdMs);
  };

  const isChecking = outcome?.state === "sending" && isCheckedFirst(outcome.decision);
  const isOnItsWay = (outcome?.state === "held" || outcome?.state === "sending") && !isChecking;
  const isSettled = approval.status !== "pending" || outcome?.state === "taken";
  const isConnectionLost = useIsConnectionLost();
  const isReachedAgain = outcome?.state === "refused" && outcome.refusal.code === unreachable && !isConnectionLost;
  const refusal = outcome?.state === "refused" && !isReachedAgain ? outcome.refusal : null;
  const Form = approval.kind === "question" ? AnswerQuestionForm : AnswerForm;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and this holds an outcome too
    <div ref={panel} className={classes.panel} role="group" aria-label="Decision" tabIndex={-1}>
      {isOnItsWay ? (
        <UndoNote outcome={outcome} />
      ) : isSettled ? (
        <ApprovalOutcome
          approval={outcome?.state === "taken" ? newerOf(approval, outcome.approval) : approval}
          isDecidedHere={outcome?.state === "taken"}
          refusal={refusal}
        />
      ) : (
        <Form approval={approval} draft={draft} refusal={refusal} isBusy={isChecking} onAnswer={answer} />
      )}
    </div>
  );
}

/** Returns whether the server has to validate typed input: the form then stays open and shows errors. */
function isCheckedFirst({ remember, arguments: edited }: Partial<ApprovalAnswer>): boolean {
  return remember !== undefined || edited !== undefined;
}

/** Returns the newer state: an approval that was read after the decision replaces the answer's. */
function newerOf(read: Approval, answered: Approval): Approval {
  return read.status === "pending" && read.votes.length <= answered.votes.length ? answered : read;
}
