import { useEffect } from "react";

/** Later than Mantine's own return of the focus, which comes after 10 ms. */
const waitMs = 20;

/** Returns the focus when an overlay closes. Mantine returns it only for an overlay that was drawn closed before it opened. */
export function useReturnFocus(opened: boolean) {
  useEffect(() => {
    if (!opened) return;
    const opener = document.activeElement;
    return () => {
      const atClose = document.activeElement;
      setTimeout(() => {
        const isLost = document.activeElement === document.body || document.activeElement === atClose;
        if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      }, waitMs);
    };
  }, [opened]);
}
