"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useDecideRefusal } from "@/components/nouns/approvals/answer/use-decide-refusal";
import { approvalQueries } from "@/components/nouns/approvals/queries";
import { QuestionForm } from "@/components/nouns/questions/question-form";
import { QuestionLink } from "@/components/nouns/questions/question-link";
import { turnQueries } from "@/components/nouns/turns/queries";
import { turnEndpoints } from "@/contracts/browser/turns/turns";

type AnswerQuestionProps = {
  turnId: string;
  callId: string;
  question: number;
  options: readonly string[];
  approvalId: string | null;
};

/** Answers a question of a running tool; the tool continues at once. */
export function AnswerQuestion({ turnId, callId, question, options, approvalId }: AnswerQuestionProps) {
  const [typed, setTyped] = useState("");
  const { data: approval } = useQuery({ ...approvalQueries.one(approvalId ?? ""), enabled: approvalId !== null });
  const client = useQueryClient();
  const answer = useMutation({
    meta: { showsError: true },
    mutationFn: (text: string) => call(turnEndpoints.answer, { params: { id: turnId, callId }, body: { question, text } }),
    onSettled: () => client.invalidateQueries({ queryKey: turnQueries.all() }),
  });
  // The buttons stay busy until the journal contains the accepted answer.
  const isBusy = answer.isPending || answer.isSuccess;
  const refusal = useDecideRefusal(approval);
  const url = approval?.question?.url;
  return (
    <>
      {url ? <QuestionLink url={url} /> : null}
      <QuestionForm
        options={options}
        typed={typed}
        onType={setTyped}
        onAnswer={(text) => answer.mutate(text)}
        isBusy={isBusy}
        reason={isBusy ? null : refusal}
        error={answer.isError ? toErrorSentence(answer.error) : null}
      />
    </>
  );
}
