"use client";

import { type RefObject, useCallback, useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Extra rows above and below the visible ones, so that a fast scroll shows no gap. */
const overscan = 6;
const rowsAtFirst = 22;

/** Visible rows `first` to `last` (exclusive) of a list. */
export type RowWindow = { first: number; last: number };

/**
 * Returns the rows of a long list to draw: the visible ones of the scrolling frame, and a few around them.
 * @param rowHeight pixels of every row
 */
export function useRowWindow(frame: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [drawn, setDrawn] = useState<RowWindow>({ first: 0, last: rowsAtFirst });

  const follow = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    const next = windowAt(element.scrollTop, element.clientHeight, rowHeight);
    setDrawn((before) => (before.first === next.first && before.last === next.last ? before : next));
  }, [frame, rowHeight]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    element.addEventListener("scroll", follow, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", follow);
    };
  }, [frame, follow]);

  /** Scrolls a row into view and draws it at once, so that the row can take the focus. */
  const showRow = (place: number) => {
    const element = frame.current;
    if (!element) return;
    const top = place * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) element.scrollTop = top + rowHeight - element.clientHeight;
    flushSync(follow);
  };

  return { first: Math.min(drawn.first, Math.max(0, count - 1)), last: Math.min(drawn.last, count), showRow };
}

/** Returns the rows to draw at a scroll position, in steps, so that not every pixel causes a render. */
export function windowAt(scrollTop: number, height: number, rowHeight: number): RowWindow {
  const step = overscan / 2;
  const first = Math.floor(scrollTop / rowHeight / step) * step;
  return { first: Math.max(0, first - overscan), last: first + step + Math.ceil(height / rowHeight) + overscan };
}
