"use client";

import { Button } from "@mantine/core";
import { IconEdit, IconKey, IconMessage } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import type { KeyboardEvent } from "react";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { orUnloaded } from "@/components/kit/ui/states/unloaded-part";
import type { Approval, ApprovalAnswer } from "@/contracts/approvals/approvals";
import type { Refusal } from "../outbox/outbox";
import { AnswerButtons } from "./answer-buttons";
import classes from "./answer-form.module.css";
import { AnswerRefusal } from "./answer-refusal";
import { CommentField } from "./comment-field";
import { editedArguments } from "./edited-arguments";
import { KeyConfirmation } from "./key-confirmation";
import { type RememberChoice, rememberedBy, whyIncomplete, whyNotRemembered } from "./remember-choices";
import type { AnswerDraft } from "./use-answer-draft";
import { useDecideRefusal } from "./use-decide-refusal";

const RememberFields = dynamic(() => import("./remember-fields").then((file) => file.RememberFields).catch(orUnloaded));
const EditArguments = dynamic(() => import("./edit-arguments").then((file) => file.default).catch(orUnloaded));

export type AnswerFormProps = {
  approval: Approval;
  draft: AnswerDraft;
  /** Why the last answer was refused. */
  refusal: Refusal | null;
  isBusy: boolean;
  onAnswer: (answer: ApprovalAnswer) => void;
  /** Returns to the buttons and restores the focus. */
  onBack: () => void;
};

/** Approve with one click, with a comment, with a grant or with other arguments. */
export function AnswerForm({ approval, draft, refusal, isBusy, onAnswer, onBack }: AnswerFormProps) {
  const { mode, setMode, remembered, setRemembered, comment, setComment } = draft;
  const reason = useDecideRefusal(approval);
  const edit = mode === "edit" ? editedArguments(approval.arguments, draft.edited) : null;
  const incomplete = mode === "remember" ? whyIncomplete(remembered) : (edit?.problem ?? null);
  const disabled = reason !== null || isBusy;
  // A rejection stays possible: only an approval would be in vain.
  const denied = approval.deniedNow ?? null;
  const oneByOne = whyNotRemembered(approval);
  const given = { decision: "approve", comment: comment.trim() } as const;
  const approve = (choice: RememberChoice) => onAnswer({ ...given, ...rememberedBy(choice) });
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    // Keeps a drawer around the form open.
    event.stopPropagation();
    onBack();
  };

  return (
    <div className={`${classes.form} ${shared.stackClose}`}>
      <AnswerRefusal refusal={refusal} />
      {mode === "remember" ? <RememberFields approval={approval} choice={remembered} onChange={setRemembered} /> : null}
      {mode === "edit" ? <EditArguments approval={approval} draft={draft.edited} onChange={draft.setEdited} /> : null}
      {mode === "comment" ? (
        <CommentField label="Comment (sent to the model)" comment={comment} onChange={setComment} onKeyDown={keys} />
      ) : null}
      <KeyConfirmation approval={approval} pressed={draft.confirming} />
      <DisabledReason reason={reason ?? denied ?? incomplete}>
        {mode === "edit" ? (
          <div className={classes.buttons}>
            <Button
              className={classes.big}
              color="green"
              disabled={disabled || incomplete !== null}
              loading={isBusy}
              onClick={() => onAnswer({ ...given, ...(edit?.changed ? { arguments: edit.changed } : {}) })}
            >
              Approve edited
            </Button>
            <Button className={classes.big} variant="default" onClick={onBack}>
              Back
            </Button>
          </div>
        ) : (
          <AnswerButtons
            once={mode === "remember" && remembered.scope !== null ? "Approve and allow" : "Approve once"}
            withConversation={mode !== "remember" && oneByOne === null}
            conversationFirst={approval.decision.sandboxed === false && !approval.machine}
            disabled={disabled}
            disabledApproval={disabled || denied !== null || incomplete !== null}
            busy={isBusy}
            onApprove={approve}
            remembered={mode === "remember" ? remembered : { ...remembered, scope: null }}
            onReject={() => setMode("reject")}
          />
        )}
      </DisabledReason>
      {mode === "remember" ? (
        <div className={classes.more}>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={onBack}>
            Back
          </Button>
        </div>
      ) : null}
      {mode === "buttons" && reason === null ? (
        <div className={classes.more}>
          <More icon={IconEdit} action="edit" onClick={() => setMode("edit")}>
            Edit
          </More>
          <More icon={IconMessage} action="comment" onClick={() => setMode("comment")}>
            Comment
          </More>
          {oneByOne === null ? (
            <More icon={IconKey} action="remember" onClick={() => draft.rememberHere()}>
              Always allow this
            </More>
          ) : (
            <p className={classes.oneByOne}>{oneByOne}</p>
          )}
        </div>
      ) : null}
    </div>
  );
}

type MoreProps = { icon: typeof IconEdit; action: string; onClick: () => void; children: string };

function More({ icon: Icon, action, onClick, children }: MoreProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<Icon size={14} aria-hidden />}
      onClick={onClick}
      data-action={action}
    >
      {children}
    </Button>
  );
}
