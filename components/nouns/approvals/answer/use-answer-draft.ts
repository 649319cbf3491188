"use client";

import { useCallback, useState, useSyncExternalStore } from "react";
import type { ArgumentDraft } from "@/components/nouns/call-form/argument-draft";
import { answerDrafts, type Draft, withoutMistakes } from "./answer-drafts";
import type { RememberChoice } from "./remember-choices";

/** Returns the unsent answer to an approval. The draft survives a refusal and opening another approval. */
export function useAnswerDraft(approvalId: string) {
  useState(() => answerDrafts.reopen(approvalId));
  const read = useCallback(() => answerDrafts.read(approvalId), [approvalId]);
  const draft = useSyncExternalStore(answerDrafts.subscribe, read, answerDrafts.onServer);
  const change = (part: Partial<Draft>) => answerDrafts.change(approvalId, part);
  return {
    ...draft,
    setMode: (mode: Draft["mode"]) => change({ mode, confirming: null, edited: withoutMistakes(read().edited) }),
    setRemembered: (remembered: RememberChoice) => change({ remembered }),
    /** Opens the fields of "always allow" with the narrowest scope, unless the person already chose one. */
    rememberHere: () => change({ mode: "remember", remembered: { ...draft.remembered, scope: draft.remembered.scope ?? "conversation" } }),
    setComment: (comment: string) => change({ comment }),
    /** Changes the latest draft, because one keystroke may change it twice: the value and its mistake. */
    setEdited: (edit: (before: ArgumentDraft | null) => ArgumentDraft) => change({ edited: edit(read().edited) }),
  };
}

export type AnswerDraft = ReturnType<typeof useAnswerDraft>;
