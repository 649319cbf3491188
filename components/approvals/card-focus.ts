const cardSelector = "[data-approval]";

/** The open story of one approval, in front of the cards. */
const openDrawer = () => document.querySelector<HTMLElement>('[role="dialog"][data-shortcuts]');

/** The card that holds the keyboard focus. Keys act on it and on nothing else. */
function focusedCard(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(cardSelector) ?? null;
}

/** Moves the focus to the next (1) or previous (-1) card that still waits, else to the next of any kind. */
export function moveToCard(step: 1 | -1) {
  if (openDrawer()) return;
  const cards = [...document.querySelectorAll<HTMLElement>(cardSelector)];
  const from = focusedCard();
  const place = from ? cards.indexOf(from) : -1;
  const ahead = step === 1 ? cards.slice(place + 1) : cards.slice(0, Math.max(0, place)).reverse();
  const next = ahead.find(({ dataset }) => dataset.pending) ?? ahead[0];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** Presses a button of the open drawer, else of the card in focus, as a click would: what cannot be clicked cannot be pressed either. */
export function pressOnCard(action: "approve" | "reject" | "open") {
  (openDrawer() ?? focusedCard())?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
}
