"use client";

import { Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { spellHidden } from "../text/reveal-hidden";
import classes from "./disabled-reason.module.css";

/** Wraps a disabled control, and shows the reason on hover and focus. Adds no element without a reason. */
export function DisabledReason({ reason, children }: { reason: string | null; children: ReactNode }) {
  if (reason === null) return children;
  return (
    <Tooltip label={spellHidden(reason)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a disabled control takes no focus, and the reason must be reachable by keyboard */}
      <span className={classes.wrapper} role="note" aria-label={reason} tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}
