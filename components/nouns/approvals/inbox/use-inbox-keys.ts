"use client";

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useShortcuts } from "@/components/kit/keyboard/shortcuts";
import type { InboxRow } from "@/contracts/approvals/approvals";
import { type AnswerKey, answerDrafts } from "../answer/answer-drafts";
import { decisionOutbox, useOutbox } from "../outbox/decision-outbox";
import { type InboxLine, rowLines } from "./inbox-lines";
import type { InboxListHandle } from "./inbox-list";
import { createKeyBurst } from "./key-burst";

type InboxKeys = {
  lines: readonly InboxLine[];
  list: RefObject<InboxListHandle | null>;
  searchField: RefObject<HTMLInputElement | null>;
  /** The bar with the selection's buttons. */
  bar: RefObject<HTMLElement | null>;
  openId: string | null;
  hasSelection: boolean;
  onShow: (id: string) => void;
  onClose: () => void;
  onToggle: (row: InboxRow) => void;
  onClear: () => void;
};

const group = "Approvals";
/** Wide windows show list and detail side by side. */
const bothPanes = "(min-width: 62.01em)";

/**
 * Registers the keys of the inbox. A key that decides acts on the row under the cursor, as soon as its detail is there, and
 * presses the visible button, so that a hidden or disabled button cannot be used by key either. Letters of typed text decide
 * nothing (`key-burst.ts`).
 */
export function useInboxKeys(keys: InboxKeys) {
  const { lines, list, searchField, bar, openId, hasSelection, onShow, onClose, onToggle, onClear } = keys;
  const { batches } = useOutbox();
  const burst = useKeyBurst();
  // However an approval is closed, a key that waited for it decides nothing when it is opened again.
  useEffect(() => {
    if (openId) return () => answerDrafts.releaseKeys(openId);
  }, [openId]);

  const placeOfOpen = () => lines.findIndex((line) => line.kind === "row" && line.row.id === openId);
  const walk = (step: 1 | -1) => {
    const here = list.current?.placeInFocus() ?? -1;
    const open = here === -1 ? placeOfOpen() : here;
    const next = open === -1 ? (step === 1 ? 0 : lines.length - 1) : open + step;
    const line = lines[next];
    if (!line) return;
    if (openId) answerDrafts.releaseKeys(openId);
    list.current?.focusLine(next);
    // Drawn at once, so that the next key finds this row under the cursor.
    if (line.kind === "row" && window.matchMedia(bothPanes).matches) flushSync(() => onShow(line.row.id));
  };
  const toggle = () => {
    const line = lines[list.current?.placeInFocus() ?? -1];
    if (line?.kind === "row" && line.row.mayDecide.isAllowed) onToggle(line.row);
  };
  /** The approval under the cursor: the focused line, else the open one. */
  const idUnderCursor = () => {
    const line = lines[list.current?.placeInFocus() ?? -1];
    return line?.kind === "row" ? line.row.id : openId;
  };
  // A key that waits for a pause acts on the list as it is after the pause.
  const latest = useRef({ openId, walk });
  useLayoutEffect(() => {
    latest.current = { openId, walk };
  });
  const press = (id: string, key: AnswerKey) =>
    flushSync(() => {
      if (id !== latest.current.openId) onShow(id);
      answerDrafts.change(id, { pressed: key });
    });
  /** Returns what a key does to the row that is under the cursor now; null when nothing is. */
  const answerWith = (key: AnswerKey): (() => void) | null => {
    if (hasSelection) return () => bar.current?.querySelector<HTMLElement>(`[data-action="${key}"]`)?.click();
    const id = idUnderCursor();
    return id ? () => press(id, key) : null;
  };
  const reject = () => {
    if (hasSelection) return answerWith("reject")?.();
    const id = idUnderCursor();
    if (!id) return;
    const row = rowLines(lines).find((one) => one.id === id);
    // The reason of a call takes the letters that follow. Declining a question sends at once.
    if (!row || row.kind === "question") return burst.decide(() => press(id, "reject"));
    const state = decisionOutbox.read().outcomes.get(id)?.state;
    const isOpen = row.status === "pending" && row.mayDecide.isAllowed && (state === undefined || state === "refused");
    if (!isOpen) return;
    flushSync(() => {
      if (id !== openId) onShow(id);
      answerDrafts.change(id, { mode: "reject", pressed: null, confirming: null });
    });
  };
  const undo = () => {
    const held = batches.findLast(({ state }) => state === "held");
    if (held) decisionOutbox.undo(held.id);
  };

  /** Keys of an edit form that is still loading belong to that form. */
  const unlessOpening = (run: () => void) => () => {
    if (!isEditOpening(openId)) run();
  };
  const decide = (key: AnswerKey) =>
    unlessOpening(() => {
      const run = answerWith(key);
      if (run) burst.decide(run);
    });
  const step = (run: () => void) => unlessOpening(() => burst.step(run));

  useShortcuts([
    { keys: "j", label: "Next approval", group, run: step(() => latest.current.walk(1)) },
    { keys: "k", label: "Previous approval", group, run: step(() => latest.current.walk(-1)) },
    { keys: "x", label: "Select the focused approval", group, run: step(toggle) },
    { keys: "a", label: "Approve the open or selected approvals", group, run: decide("approve") },
    { keys: "c", label: "Approve the open call in its conversation", group, run: decide("approve-here") },
    { keys: "r", label: "Reject the open or selected approvals", group, run: unlessOpening(() => burst.open(reject)) },
    { keys: "e", label: "Edit the open call", group, run: unlessOpening(() => burst.open(() => answerWith("edit")?.())) },
    { keys: "z", label: "Undo the last decision", group, run: unlessOpening(undo) },
    { keys: "/", label: "Search", group, run: () => searchField.current?.focus() },
    { keys: "Escape", label: "Clear the selection, then close the approval", group, run: () => (hasSelection ? onClear() : onClose()) },
  ]);
}

/** Listens to every key before it acts, so that letters of a text are known as such. */
function useKeyBurst() {
  const [burst] = useState(createKeyBurst);
  useEffect(() => {
    const note = ({ key, timeStamp, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
      burst.note(ctrlKey || metaKey || altKey ? "Control" : key, timeStamp);
    document.addEventListener("keydown", note, { capture: true });
    return () => {
      document.removeEventListener("keydown", note, { capture: true });
      burst.drop();
    };
  }, [burst]);
  return burst;
}

/** Returns whether the edit form of an approval has been asked for and is not drawn yet. */
function isEditOpening(openId: string | null): boolean {
  return openId !== null && answerDrafts.read(openId).mode === "edit" && !document.querySelector("[data-edit-fields]");
}
