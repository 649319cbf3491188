"use client";

import { useEffect, useRef, useState } from "react";

/** Distance from the end, in pixels, that still counts as the end. */
const slack = 48;

/**
 * Keeps a scrolling element at its end while its content grows, unless the person scrolled up.
 * @returns refs for the scrolling element and its content, and the way back to the end
 */
export function useStickToEnd() {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const toEnd = () => {
    sticks.current = true;
    setIsAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  };
  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return;
    let before = element.scrollTop;
    const onScroll = () => {
      const isNearEnd = element.scrollHeight - element.scrollTop - element.clientHeight < slack;
      // Only a move up lets go: while the content grows, its end moves away by itself.
      if (isNearEnd) sticks.current = true;
      else if (element.scrollTop < before) sticks.current = false;
      before = element.scrollTop;
      setIsAtEnd(isNearEnd || sticks.current);
    };
    const follow = new ResizeObserver(() => {
      if (sticks.current) element.scrollTo({ top: element.scrollHeight });
    });
    element.addEventListener("scroll", onScroll, { passive: true });
    follow.observe(content.current);
    follow.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      follow.disconnect();
    };
  }, []);
  return { scroller, content, isAtEnd, toEnd };
}
