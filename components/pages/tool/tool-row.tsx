"use client";

import { Checkbox, Switch } from "@mantine/core";
import { memo } from "react";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { RowLink } from "@/components/kit/ui/lists/row-link";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { EffectLabel } from "@/components/nouns/tools/effect-label";
import { shownDescription, toolSource } from "@/components/nouns/tools/filter-tools";
import { TierToggle } from "@/components/nouns/tools/tier-toggle";
import { ToolWarnings } from "@/components/nouns/tools/tool-warnings";
import type { Tool } from "@/contracts/tools/tools";
import { ToolTokens } from "./tool-tokens";
import classes from "./tools.module.css";
import type { ToolChange } from "./use-change-tool";

type ToolRowProps = {
  tool: Tool;
  /** Why the person may not change tools. */
  refusal: string | null;
  isSelected: boolean;
  onSelect: (name: string, withShift: boolean) => void;
  onOpen: (name: string) => void;
  onChange: (tool: Tool, change: ToolChange) => void;
};

/** A tool in its section; a press anywhere on the row opens its details. */
export const ToolRow = memo(function ToolRow({ tool, refusal, isSelected, onSelect, onOpen, onChange }: ToolRowProps) {
  // A builtin tool that is locked in Core cannot be disabled either, because agents reach other tools through it.
  const onLocked = refusal ?? (tool.source === "builtin" ? tool.tierLockedReason : null);
  return (
    <li className={`${rows.row} ${classes.row}`} data-off={!tool.enabled || undefined} data-selected={isSelected || undefined}>
      <div className={classes.select}>
        <Checkbox
          aria-label={`Select ${tool.name}`}
          checked={isSelected}
          disabled={refusal !== null}
          onChange={(event) => onSelect(tool.name, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
        />
      </div>
      <div className={`${classes.what} ${shared.shrinks}`}>
        <div className={classes.names}>
          <RowLink
            className={`${classes.name} ${shared.mono}`}
            href={`?tool=${encodeURIComponent(tool.name)}`}
            onOpen={() => onOpen(tool.name)}
          >
            <RevealedText text={tool.name} />
          </RowLink>
          <span className={`${classes.title} ${shared.oneLine}`}>
            {tool.title === tool.name ? null : <RevealedText text={tool.title} />}
          </span>
          <ToolWarnings tool={tool} />
        </div>
        <p className={`${classes.description} ${shared.oneLine}`}>
          <RevealedText text={plainPreview(shownDescription(tool))} />
        </p>
      </div>
      <div className={classes.source}>
        <span className={`${classes.sourceBadge} ${shared.oneLine} ${shared.mono}`}>{toolSource(tool)}</span>
        {tool.family === tool.sourceName ? null : <span className={shared.small}>{tool.family}</span>}
      </div>
      <div className={classes.effect}>
        <EffectLabel effect={tool.effect} />
      </div>
      <ToolTokens tool={tool} />
      <div className={shared.aboveLink} id={`tier-of-${tool.name}`}>
        <TierToggle
          of={tool.name}
          tier={tool.tier}
          lockedReason={tool.tierLockedReason ?? refusal}
          onChange={(tier) => onChange(tool, { tier })}
        />
      </div>
      <div className={`${classes.switch} ${shared.aboveLink}`}>
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
