"use client";

import { Button } from "@mantine/core";
import { QuestionForm } from "@/components/nouns/questions/question-form";
import type { AnswerFormProps } from "./answer-form";
import { KeyConfirmation } from "./key-confirmation";
import { useDecideRefusal } from "./use-decide-refusal";

/** Answers a question of an agent in the inbox, or declines the question. */
export function AnswerQuestionForm({ approval, draft, refusal, isBusy, onAnswer }: Omit<AnswerFormProps, "onBack">) {
  const { comment: typed, setComment: setTyped } = draft;
  const reason = useDecideRefusal(approval);
  return (
    <>
      <KeyConfirmation approval={approval} pressed={draft.confirming} />
      <QuestionForm
        options={approval.question?.options ?? []}
        typed={typed}
        onType={setTyped}
        onAnswer={(text) => onAnswer({ decision: "approve", answer: text, comment: "" })}
        isBusy={isBusy}
        reason={reason}
        error={refusal?.detail ?? null}
      >
        {/* The tool reads the typed text as the reason of the refusal. */}
        <Button
          variant="default"
          disabled={reason !== null || isBusy}
          onClick={() => onAnswer({ decision: "reject", comment: typed.trim() })}
          data-action="reject"
        >
          Decline
        </Button>
      </QuestionForm>
    </>
  );
}
