"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { flushSync } from "react-dom";
import { useIsConnectionLost } from "@/components/kit/api/connection-note";
import type { Approval, ApprovalAnswer, InboxRow } from "@/contracts/approvals/approvals";
import { ApprovalOutcome } from "../approval-outcome";
import { decisionOutbox, unreachable, useOutcome } from "../outbox/decision-outbox";
import type { Outcome } from "../outbox/outbox";
import { UndoNote } from "../outbox/undo-note";
import { holdMsFor, useUndoSetting } from "../outbox/undo-setting";
import { type AnswerKey, answerDrafts } from "./answer-drafts";
import { AnswerForm } from "./answer-form";
import classes from "./answer-panel.module.css";
import { AnswerQuestionForm } from "./answer-question-form";
import { RejectForm } from "./reject-form";
import { useAnswerDraft } from "./use-answer-draft";
import { whyConfirm } from "./why-confirm";

/** Milliseconds in which a key that needs a second press takes it. */
const confirmMs = 5_000;

type AnswerPanelProps = {
  row: InboxRow;
  /** Null until the detail is there: until then the call can only be rejected. */
  approval: Approval | null;
};

/** The answer to one approval: the form, a decision that can still be undone, or the outcome. */
export function AnswerPanel({ row, approval }: AnswerPanelProps) {
  const outcome = useOutcome(row.id);
  const draft = useAnswerDraft(row.id);
  const undo = useUndoSetting();
  const panel = useRef<HTMLDivElement>(null);

  const answer = (given: ApprovalAnswer) => {
    const isChecked = isCheckedFirst(given);
    const holdMs = isChecked ? 0 : holdMsFor(undo.isOn, [row.expiresAt], Date.now());
    // Moves the focus to the panel, because the buttons disappear and the outcome is read out here.
    if (!isChecked) panel.current?.focus();
    decisionOutbox.hold([{ ...given, id: row.id, row }], holdMs);
  };
  const buttonOf = (action: AnswerKey) => panel.current?.querySelector<HTMLElement>(`[data-action="${action}"]`);
  const goBack = () => {
    flushSync(() => draft.setMode("buttons"));
    buttonOf("reject")?.focus();
  };
  usePressedKey(approval, draft, (action) => buttonOf(action)?.click());

  const isChecking = outcome?.state === "sending" && isCheckedFirst(outcome.decision);
  const isOnItsWay = (outcome?.state === "held" || outcome?.state === "sending") && !isChecking;
  const latest = latestOf(approval, outcome);
  const isSettled = outcome?.state === "taken" || (approval ?? row).status !== "pending";
  const isConnectionLost = useIsConnectionLost();
  const isReachedAgain = outcome?.state === "refused" && outcome.refusal.code === unreachable && !isConnectionLost;
  const refusal = outcome?.state === "refused" && !isReachedAgain ? outcome.refusal : null;
  const Form = row.kind === "question" ? AnswerQuestionForm : AnswerForm;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and this holds an outcome too
    <div ref={panel} className={classes.panel} role="group" aria-label="Decision" tabIndex={-1}>
      {isOnItsWay ? (
        <UndoNote outcome={outcome} />
      ) : isSettled ? (
        latest && <ApprovalOutcome approval={latest} isDecidedHere={outcome?.state === "taken"} refusal={refusal} />
      ) : draft.mode === "reject" ? (
        <RejectForm
          approval={approval ?? row}
          draft={draft}
          refusal={refusal}
          onReject={(comment) => answer({ decision: "reject", comment })}
          onBack={goBack}
        />
      ) : (
        approval && <Form approval={approval} draft={draft} refusal={refusal} isBusy={isChecking} onAnswer={answer} onBack={goBack} />
      )}
    </div>
  );
}

/** Presses the button of a key that waits, once the approval is shown; a call that needs it asks for the key again. */
function usePressedKey(
  approval: Approval | null,
  { pressed, confirming }: ReturnType<typeof useAnswerDraft>,
  press: (action: AnswerKey) => void,
) {
  const isShown = approval !== null;
  const take = useEffectEvent((action: AnswerKey) => {
    if (!approval) return;
    const asksAgain = whyConfirm(approval, action) !== null && confirming !== action;
    answerDrafts.change(approval.id, { pressed: null, confirming: asksAgain ? action : null });
    if (!asksAgain) press(action);
  });
  useEffect(() => {
    if (isShown && pressed !== null) take(pressed);
  }, [isShown, pressed]);

  const release = useEffectEvent(() => approval && answerDrafts.releaseKeys(approval.id));
  useEffect(() => {
    if (confirming === null) return;
    const timer = setTimeout(release, confirmMs);
    return () => clearTimeout(timer);
  }, [confirming]);
}

/** Returns whether the server has to validate typed input: the form then stays open and shows errors. */
function isCheckedFirst({ remember, arguments: edited }: Partial<ApprovalAnswer>): boolean {
  return remember !== undefined || edited !== undefined;
}

/** Returns the newer state: an approval that was read after the decision replaces the answer's. */
function latestOf(read: Approval | null, outcome: Outcome | undefined): Approval | null {
  if (outcome?.state !== "taken") return read;
  const { approval: answered } = outcome;
  return read === null || (read.status === "pending" && read.votes.length <= answered.votes.length) ? answered : read;
}
