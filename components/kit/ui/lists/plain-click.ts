import type { MouseEvent } from "react";

/** Returns a click handler that opens a link's details in this page; with a modifier key the browser opens a tab. */
export function onPlainClick(open: () => void) {
  return (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open();
  };
}
