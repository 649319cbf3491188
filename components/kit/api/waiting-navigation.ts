"use client";

import { useRouter } from "next/navigation";
import { useCallback, useSyncExternalStore } from "react";
import { connection } from "./connection";
import { openingPage } from "./opening-page";

let waiting: string | null = null;
const listeners = new Set<() => void>();

function change(next: string | null) {
  if (next === waiting) return;
  waiting = next;
  for (const tell of listeners) tell();
}

/**
 * The page that somebody chose while the server was unreachable. It opens when the connection is back, because the browser
 * would leave the console for its own error page, and everything typed here would be lost.
 */
export const waitingNavigation = {
  wait: (address: string) => change(address),
  drop: () => change(null),
  /** Returns the address that waits, and forgets it. */
  take: (): string | null => {
    const address = waiting;
    change(null);
    return address;
  },
  read: () => waiting,
  readOnServer: () => null,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

export function useWaitingNavigation(): string | null {
  return useSyncExternalStore(waitingNavigation.subscribe, waitingNavigation.read, waitingNavigation.readOnServer);
}

/** Returns a function that opens a page of the console, now or when the connection is back. */
export function useGoTo(): (address: string) => void {
  const router = useRouter();
  return useCallback(
    (address) => {
      if (connection.read().isLost) return waitingNavigation.wait(address);
      openingPage.begin(address, window.location.href);
      router.push(address);
    },
    [router],
  );
}

/** Returns the address that a click opens in this window by loading another page of the console; null for any other click. */
export function pageOpenedBy(
  click: Pick<MouseEvent, "button" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey" | "target">,
  here: string,
): string | null {
  if (click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return null;
  const link = (click.target as Partial<Element> | null)?.closest?.("a[href]");
  if (!link || link.hasAttribute("download") || !["", "_self"].includes(link.getAttribute("target") ?? "")) return null;
  const from = new URL(here);
  const to = new URL(link.getAttribute("href") ?? "", from);
  // A link within the page is drawn from what is loaded.
  return to.origin === from.origin && to.pathname !== from.pathname ? to.pathname + to.search + to.hash : null;
}
