import type { MouseEvent } from "react";

/** Makes the press of a link open its story in this page; with a modifier the browser opens a tab of its own. */
export function opensHere(open: () => void) {
  return (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open();
  };
}
