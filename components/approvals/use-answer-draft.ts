"use client";

import { useState } from "react";
import type { ArgumentDraft } from "@/components/call-form/argument-draft";
import { type RememberChoice, rememberNothing } from "./remember-fields";

type Draft = {
  mode: "buttons" | "comment" | "reject" | "remember" | "edit";
  remembered: RememberChoice;
  comment: string;
  /** The arguments being edited; null until a person edits them. */
  edited: ArgumentDraft | null;
};

const blank: Draft = { mode: "buttons", remembered: rememberNothing, comment: "", edited: null };
/** Drafts of this tab by approval id, so that opening another approval loses none. */
const drafts = new Map<string, Draft>();

/** Drops mistakes when the fields are drawn again, because each field then starts with its last valid value. */
function withoutMistakes(edited: ArgumentDraft | null): ArgumentDraft | null {
  return edited && { ...edited, mistakes: [] };
}

function reopened(approvalId: string): Draft {
  const kept = drafts.get(approvalId);
  if (!kept) return blank;
  const draft = { ...kept, edited: withoutMistakes(kept.edited) };
  drafts.set(approvalId, draft);
  return draft;
}

/** Returns the unsent answer to an approval. The draft survives a refusal and opening another approval. */
export function useAnswerDraft(approvalId: string) {
  const [draft, setDraft] = useState<Draft>(() => reopened(approvalId));
  const change = (part: Partial<Draft>) => {
    const next = { ...(drafts.get(approvalId) ?? draft), ...part };
    drafts.set(approvalId, next);
    setDraft(next);
  };
  return {
    ...draft,
    setMode: (mode: Draft["mode"]) => change({ mode, edited: withoutMistakes((drafts.get(approvalId) ?? draft).edited) }),
    setRemembered: (remembered: RememberChoice) => change({ remembered }),
    /** Opens the fields of "always allow" with the narrowest scope, unless the person already chose one. */
    rememberHere: () => change({ mode: "remember", remembered: { ...draft.remembered, scope: draft.remembered.scope ?? "conversation" } }),
    setComment: (comment: string) => change({ comment }),
    /** Changes the latest draft, because one keystroke may change it twice: the value and its mistake. */
    setEdited: (edit: (before: ArgumentDraft | null) => ArgumentDraft) =>
      change({ edited: edit((drafts.get(approvalId) ?? draft).edited) }),
  };
}

export type AnswerDraft = ReturnType<typeof useAnswerDraft>;
