"use client";

import { useShortcuts } from "./shortcuts";

/** Moves the focus through the links of the page's rows (`data-row`) with `j` and `k`; Enter opens a focused link natively. */
export function useRowKeys(group: string) {
  useShortcuts([
    { keys: "j", label: "Next row", group, run: () => walk(1) },
    { keys: "k", label: "Previous row", group, run: () => walk(-1) },
  ]);
}

function walk(step: 1 | -1) {
  const links: (Element | null)[] = [...document.querySelectorAll("[data-row]")];
  const here = links.indexOf(document.activeElement);
  const next = here === -1 ? (step === 1 ? 0 : links.length - 1) : here + step;
  const link = links[next];
  if (link instanceof HTMLElement) link.focus();
}
