"use client";

import { Button } from "@mantine/core";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./question-form.module.css";

const maxAnswerChars = 10_000;

type QuestionFormProps = {
  /** Suggested answers. */
  options: readonly string[];
  typed: string;
  onType: (typed: string) => void;
  onAnswer: (text: string) => void;
  isBusy: boolean;
  /** Why the person may not answer; null when they may. */
  reason: string | null;
  error: string | null;
  /** Further buttons beside `Answer`. */
  children?: ReactNode;
};

/** Answers a question: a button per suggested answer, or free text. */
export function QuestionForm({ options, typed, onType, onAnswer, isBusy, reason, error, children }: QuestionFormProps) {
  const isDisabled = reason !== null || isBusy;
  const text = typed.trim();
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!isDisabled && text !== "") onAnswer(text);
  };
  return (
    <DisabledReason reason={reason}>
      <form className={shared.stackClose} onSubmit={submit}>
        {error ? (
          <p className={shared.errorText} role="alert">
            <RevealedText text={error} />
          </p>
        ) : null}
        {options.length > 0 ? (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a wrapping row in every browser
          <div className={shared.bar} role="group" aria-label="Proposed answers">
            {options.map((option) => (
              <Button key={option} className={classes.option} variant="default" disabled={isDisabled} onClick={() => onAnswer(option)}>
                <RevealedText text={option} />
              </Button>
            ))}
          </div>
        ) : null}
        <div className={shared.fieldBar}>
          <AutosizeTextarea
            className={classes.field}
            label={options.length > 0 ? "Or in your own words" : "Your answer"}
            rows={[1, 8]}
            maxLength={maxAnswerChars}
            value={typed}
            disabled={isDisabled}
            onChange={(event) => onType(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
              if (event.key === "Escape") event.currentTarget.blur();
            }}
          />
          <Button type="submit" disabled={isDisabled || text === ""} loading={isBusy}>
            Answer
          </Button>
          {children}
        </div>
      </form>
    </DisabledReason>
  );
}
