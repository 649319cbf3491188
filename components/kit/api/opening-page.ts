import { useSyncExternalStore } from "react";

/** A page that is not there after this time failed, and the console says so elsewhere. */
const maxMs = 30_000;

let opening: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: string | null) {
  clearTimeout(timer);
  if (next !== null) timer = setTimeout(() => change(null), maxMs);
  if (next === opening) return;
  opening = next;
  for (const tell of listeners) tell();
}

/** The address of the page of the console that was chosen and is not there yet. */
export const openingPage = {
  /** Begins the wait for another page; an address within the open page has nothing to wait for. */
  begin: (address: string, here: string) => {
    const [from, to] = [new URL(here), new URL(address, here)];
    if (to.pathname !== from.pathname) change(to.pathname);
  },
  end: () => change(null),
  read: () => opening,
  readOnServer: () => null,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

export function useOpeningPage(): string | null {
  return useSyncExternalStore(openingPage.subscribe, openingPage.read, openingPage.readOnServer);
}
