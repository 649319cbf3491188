"use client";

import { Tooltip } from "@mantine/core";
import { IconClock, IconHourglassEmpty } from "@tabler/icons-react";
import { useNow } from "@/components/kit/ui/text/now";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { timeLeft } from "./time-left";
import classes from "./time-left-badge.module.css";

const exactFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

/** Countdown to an approval's expiry, with a warning in the last minute. */
export function TimeLeftBadge({ expiresAt }: { expiresAt: string }) {
  const { text, isLastMinute } = timeLeft(expiresAt, useNow());
  const Icon = isLastMinute ? IconHourglassEmpty : IconClock;
  return (
    <Tooltip label={`Without a decision until ${exactFormat.format(Date.parse(expiresAt))}, the call is rejected and the agent is told.`}>
      {/* The clocks of server and browser may differ by a second. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard */}
      <span className={classes.badge} data-last-minute={isLastMinute || undefined} tabIndex={0} suppressHydrationWarning>
        <Icon size={14} aria-hidden />
        <span role="timer" suppressHydrationWarning>
          <RevealedText text={text} />
        </span>
      </span>
    </Tooltip>
  );
}
