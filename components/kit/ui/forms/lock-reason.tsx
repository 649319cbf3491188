"use client";

import { Tooltip, UnstyledButton } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { spellHidden } from "../text/reveal-hidden";
import classes from "./lock-reason.module.css";

/** A lock icon beside a setting that cannot be changed; hover, focus or touch shows the reason. */
export function LockReason({ reason }: { reason: string }) {
  return (
    <Tooltip label={spellHidden(reason)}>
      <UnstyledButton className={classes.lock} aria-label={`Locked: ${reason}`}>
        <IconLock size={14} aria-hidden />
      </UnstyledButton>
    </Tooltip>
  );
}
