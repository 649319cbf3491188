"use client";

import { Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./disabled-reason.module.css";

/** Around a disabled control: hovering or focusing it says why. Without a reason it is not there at all. */
export function DisabledReason({ reason, children }: { reason: string | null; children: ReactNode }) {
  if (reason === null) return children;
  return (
    <Tooltip label={reason}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a disabled control takes no focus, and the reason must be reachable by keyboard */}
      <span className={classes.wrapper} role="note" aria-label={reason} tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}
