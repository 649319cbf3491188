"use client";

import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { call } from "@/components/api/call";
import { sentenceOf } from "@/components/api/sentence-of";
import { useRefusal } from "@/components/shell/me";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { RevealedText } from "@/components/ui/revealed-text";
import { turnEndpoints } from "@/contracts/turns";
import classes from "./call-steps.module.css";
import { turnQueries } from "./queries";

type AnswerQuestionProps = { turnId: string; callId: string; question: number; options: readonly string[] };

const longestAnswer = 10_000;

/** Answers a tool: one press for a proposed answer, or words of one's own. The tool goes on with it at once. */
export function AnswerQuestion({ turnId, callId, question, options }: AnswerQuestionProps) {
  const [typed, setTyped] = useState("");
  const refusal = useRefusal("turns:write");
  const client = useQueryClient();
  const answer = useMutation({
    meta: { showsError: true },
    mutationFn: (text: string) => call(turnEndpoints.answer, { params: { id: turnId, callId }, body: { question, text } }),
    onSettled: () => client.invalidateQueries({ queryKey: turnQueries.all() }),
  });
  // Until the journal says so, an answer that was taken is not offered again.
  const isBusy = answer.isPending || answer.isSuccess;
  const isDisabled = refusal !== null || isBusy;
  const isEmpty = typed.trim() === "";

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDisabled && !isEmpty) answer.mutate(typed.trim());
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
  };

  return (
    <DisabledReason reason={refusal}>
      <form className={classes.form} onSubmit={submit}>
        {options.length > 0 ? (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a wrapping row in every browser
          <div className={classes.options} role="group" aria-label="Proposed answers">
            {options.map((option) => (
              <Button key={option} className={classes.option} variant="default" disabled={isDisabled} onClick={() => answer.mutate(option)}>
                <RevealedText text={option} />
              </Button>
            ))}
          </div>
        ) : null}
        <div className={classes.own}>
          <Textarea
            className={classes.field}
            label={options.length > 0 ? "Or in your own words" : "Your answer"}
            autosize
            minRows={1}
            maxRows={8}
            maxLength={longestAnswer}
            value={typed}
            disabled={isDisabled}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={keys}
          />
          <Button type="submit" disabled={isDisabled || isEmpty} loading={isBusy}>
            Answer
          </Button>
        </div>
        {answer.isError ? (
          <p className={classes.error} role="alert">
            {sentenceOf(answer.error)}
          </p>
        ) : null}
      </form>
    </DisabledReason>
  );
}
