"use client";

import { Tooltip, UnstyledButton } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import classes from "./lock-reason.module.css";

/** A small lock beside what cannot be changed here; hovering, focusing or touching it says why. */
export function LockReason({ reason }: { reason: string }) {
  return (
    <Tooltip label={reason}>
      <UnstyledButton className={classes.lock} aria-label={`Locked: ${reason}`}>
        <IconLock size={14} aria-hidden />
      </UnstyledButton>
    </Tooltip>
  );
}
