"use client";

import { Switch } from "@mantine/core";
import { memo } from "react";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { RevealedText } from "@/components/ui/revealed-text";
import { RowLink } from "@/components/ui/row-link";
import rows from "@/components/ui/rows.module.css";
import type { Tool } from "@/contracts/tools";
import { EffectLabel } from "./effect-label";
import { sourceOf } from "./filter-tools";
import { TierToggle } from "./tier-toggle";
import { ToolTokens } from "./tool-tokens";
import { ToolWarnings } from "./tool-warnings";
import classes from "./tools.module.css";
import type { ToolChange } from "./use-change-tool";

type ToolRowProps = {
  tool: Tool;
  /** Why the person may change nothing. */
  refusal: string | null;
  onOpen: (name: string) => void;
  onChange: (tool: Tool, change: ToolChange) => void;
};

/** A tool in its section; pressing it anywhere opens its story. */
export const ToolRow = memo(function ToolRow({ tool, refusal, onOpen, onChange }: ToolRowProps) {
  // What keeps a builtin tool in Core is also what keeps it on: agents reach the others through it.
  const onLocked = refusal ?? (tool.source === "builtin" ? tool.tierLockedReason : null);
  return (
    <li className={`${rows.row} ${classes.row}`} data-off={!tool.enabled || undefined}>
      <div className={classes.what}>
        <div className={classes.names}>
          <RowLink className={classes.name} href={`?tool=${encodeURIComponent(tool.name)}`} onOpen={() => onOpen(tool.name)}>
            {tool.name}
          </RowLink>
          <span className={classes.title}>{tool.title === tool.name ? null : <RevealedText text={tool.title} />}</span>
          <ToolWarnings tool={tool} />
        </div>
        <p className={classes.description}>
          <RevealedText text={tool.description} />
        </p>
      </div>
      <div className={classes.source}>
        <span className={classes.sourceBadge}>{sourceOf(tool)}</span>
        <span className={classes.family}>{tool.family}</span>
      </div>
      <div className={classes.effect}>
        <EffectLabel effect={tool.effect} />
      </div>
      <ToolTokens tool={tool} />
      <div className={classes.tier} id={`tier-of-${tool.name}`}>
        <TierToggle
          of={tool.name}
          tier={tool.tier}
          lockedReason={tool.tierLockedReason ?? refusal}
          onChange={(tier) => onChange(tool, { tier })}
        />
      </div>
      <div className={classes.switch}>
        <DisabledReason reason={onLocked}>
          <Switch
            aria-label={`${tool.name} is on`}
            checked={tool.enabled}
            disabled={onLocked !== null}
            onChange={(event) => onChange(tool, { enabled: event.currentTarget.checked })}
          />
        </DisabledReason>
      </div>
    </li>
  );
});
