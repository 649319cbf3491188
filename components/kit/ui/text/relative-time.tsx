"use client";

import { Tooltip } from "@mantine/core";
import { useNow } from "./now";
import classes from "./relative-time.module.css";
import { relativeTime } from "./relative-time-text";

const exactFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

/** "3 min ago"; hover or focus shows the exact time. `isAhead`: what is to come is never "just now". */
export function RelativeTime({ at, isAhead = false }: { at: string; isAhead?: boolean }) {
  const time = Date.parse(at);
  const now = useNow(10);
  return (
    <Tooltip label={exactFormat.format(time)}>
      {/* Server and browser may differ by a second or a time zone. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard */}
      <time className={classes.time} dateTime={at} tabIndex={0} suppressHydrationWarning>
        {relativeTime(time, now, isAhead)}
      </time>
    </Tooltip>
  );
}
