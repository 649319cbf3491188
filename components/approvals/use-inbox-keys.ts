"use client";

import type { RefObject } from "react";
import { useShortcuts } from "@/components/keyboard/shortcuts";
import type { InboxRow } from "@/contracts/approvals";
import { decisionOutbox, useOutbox } from "./decision-outbox";
import type { InboxLine } from "./inbox-lines";
import type { InboxListHandle } from "./inbox-list";

type InboxKeys = {
  lines: readonly InboxLine[];
  list: RefObject<InboxListHandle | null>;
  searchField: RefObject<HTMLInputElement | null>;
  /** The bar with the selection's buttons. */
  bar: RefObject<HTMLElement | null>;
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
 * Registers the keys of the inbox. A decision key presses the visible button, so that a hidden or disabled button
 * cannot be used by key either.
 */
export function useInboxKeys(keys: InboxKeys) {
  const { lines, list, searchField, bar, hasSelection, onShow, onClose, onToggle, onClear } = keys;
  const { batches } = useOutbox();

  const walk = (step: 1 | -1) => {
    const here = list.current?.placeInFocus() ?? -1;
    const open = here === -1 ? lines.findIndex((line) => line.kind === "row" && line.row.id === shownId()) : here;
    const next = open === -1 ? (step === 1 ? 0 : lines.length - 1) : open + step;
    const line = lines[next];
    if (!line) return;
    list.current?.focusLine(next);
    if (line.kind === "row" && window.matchMedia(bothPanes).matches) onShow(line.row.id);
  };
  const toggle = () => {
    const line = lines[list.current?.placeInFocus() ?? -1];
    if (line?.kind === "row" && line.row.mayDecide.isAllowed) onToggle(line.row);
  };
  const press = (action: string) => {
    const place = hasSelection ? bar.current : shownDetail();
    place?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
  };
  const undo = () => {
    const held = batches.findLast(({ state }) => state === "held");
    if (held) decisionOutbox.undo(held.id);
  };

  useShortcuts([
    { keys: "j", label: "Next approval", group, run: () => walk(1) },
    { keys: "k", label: "Previous approval", group, run: () => walk(-1) },
    { keys: "x", label: "Select the focused approval", group, run: toggle },
    { keys: "a", label: "Approve the open or selected approvals", group, run: () => press("approve") },
    { keys: "c", label: "Approve the open call in its conversation", group, run: () => press("approve-here") },
    { keys: "r", label: "Reject the open or selected approvals", group, run: () => press("reject") },
    { keys: "e", label: "Edit the open call", group, run: () => press("edit") },
    { keys: "z", label: "Undo the last decision", group, run: undo },
    { keys: "/", label: "Search", group, run: () => searchField.current?.focus() },
    { keys: "Escape", label: "Clear the selection, then close the approval", group, run: () => (hasSelection ? onClear() : onClose()) },
  ]);
}

const shownDetail = () => document.querySelector<HTMLElement>("[data-approval-detail]");
const shownId = () => shownDetail()?.dataset.approvalDetail;
