"use client";

import { useEffect, useEffectEvent } from "react";

/**
 * Hands over what is typed while a field that a key opened is not there yet.
 * @param isOpening whether the field has been asked for; keys go to the page again as soon as a field has the focus
 */
export function useTypedAhead(isOpening: boolean, onType: (change: (before: string) => string) => void) {
  const type = useEffectEvent(onType);
  useEffect(() => {
    if (!isOpening) return;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (document.activeElement?.closest("input, textarea, [role=dialog] button")) return;
      if (event.key === "Backspace") type((before) => before.slice(0, -1));
      else if (event.key.length === 1) type((before) => before + event.key);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Captures, so that no shortcut sees these letters.
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, [isOpening]);
}
