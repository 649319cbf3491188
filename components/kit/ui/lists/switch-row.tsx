"use client";

import { Switch } from "@mantine/core";
import type { ReactNode } from "react";
import shared from "../shared.module.css";
import { spellHidden } from "../text/reveal-hidden";
import { RevealedText } from "../text/revealed-text";
import { RowLink } from "./row-link";
import rows from "./rows.module.css";
import classes from "./switch-row.module.css";

type SwitchRowProps = {
  name: string;
  enabled: boolean;
  /** Address of the row's details. */
  href: string;
  /** Facts before the switch. */
  aside: ReactNode;
  onOpen: () => void;
  /** Absent: the row has no switch. */
  onSwitch?: (enabled: boolean) => void;
  /** `RowLine`s below the name. */
  children: ReactNode;
};

/** A row that can be switched off; a press anywhere else on it opens its details. */
export function SwitchRow({ name, enabled, href, aside, onOpen, onSwitch, children }: SwitchRowProps) {
  return (
    <li className={`${rows.row} ${classes.row}`} data-plain={onSwitch === undefined || undefined}>
      <div className={shared.shrinks}>
        <RowLink className={enabled ? shared.strong : classes.nameOff} href={href} onOpen={onOpen}>
          <RevealedText text={name} />
        </RowLink>
        {children}
      </div>
      <div className={classes.aside}>{aside}</div>
      {onSwitch ? (
        <div className={shared.aboveLink}>
          <Switch aria-label={`${name} is on`} checked={enabled} onChange={(event) => onSwitch(event.currentTarget.checked)} />
        </div>
      ) : null}
    </li>
  );
}

/** A line of small text; code and errors take one line and end in an ellipsis. */
export function RowLine({ text, kind }: { text: string; kind?: "code" | "error" }) {
  return (
    <p className={`${classes.line} ${shared.subline}`} data-kind={kind} title={kind === "error" ? spellHidden(text) : undefined}>
      <RevealedText text={text} />
    </p>
  );
}
