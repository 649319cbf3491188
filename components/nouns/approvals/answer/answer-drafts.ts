import type { ArgumentDraft } from "@/components/nouns/call-form/argument-draft";
import { type RememberChoice, rememberNothing } from "./remember-choices";

/** Buttons of an answer that a key can press, by their `data-action`. */
export type AnswerKey = "approve" | "approve-here" | "reject" | "edit";

export type Draft = {
  mode: "buttons" | "comment" | "reject" | "remember" | "edit";
  remembered: RememberChoice;
  comment: string;
  /** The arguments being edited; null until a person edits them. */
  edited: ArgumentDraft | null;
  /** A key that waits until the approval is shown. */
  pressed: AnswerKey | null;
  /** A key that has to be pressed a second time. */
  confirming: AnswerKey | null;
};

const blank: Draft = { mode: "buttons", remembered: rememberNothing, comment: "", edited: null, pressed: null, confirming: null };
/** Drafts of this tab by approval id, so that opening another approval loses none. */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

/** Unsent answers, for the answer's form and for the keys of the inbox. */
export const answerDrafts = {
  read: (approvalId: string): Draft => drafts.get(approvalId) ?? blank,
  change: (approvalId: string, part: Partial<Draft>) => {
    drafts.set(approvalId, { ...answerDrafts.read(approvalId), ...part });
    for (const tell of listeners) tell();
  },
  /** Drops mistakes, because each field starts with its last valid value when the fields are drawn again. */
  reopen: (approvalId: string) => {
    const kept = drafts.get(approvalId);
    if (kept) drafts.set(approvalId, { ...kept, edited: withoutMistakes(kept.edited) });
  },
  /** Forgets keys that wait: the person has moved on. */
  releaseKeys: (approvalId: string) => {
    const { pressed, confirming } = answerDrafts.read(approvalId);
    if (pressed !== null || confirming !== null) answerDrafts.change(approvalId, { pressed: null, confirming: null });
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  onServer: () => blank,
};

export function withoutMistakes(edited: ArgumentDraft | null): ArgumentDraft | null {
  return edited && { ...edited, mistakes: [] };
}
