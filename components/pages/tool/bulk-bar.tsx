"use client";

import { Button } from "@mantine/core";
import shared from "@/components/kit/ui/shared.module.css";
import { tierNames } from "@/components/nouns/tools/sum-tokens";
import type { ToolTier } from "@/contracts/tools/tools";
import classes from "./bulk-bar.module.css";
import type { ToolChange } from "./use-change-tool";

type BulkBarProps = {
  selected: number;
  /** Number of tools that match the filters. */
  shown: number;
  isPending: boolean;
  onChange: (change: ToolChange) => void;
  onSelectAll: () => void;
  onClear: () => void;
};

const tiers: readonly ToolTier[] = ["core", "extension"];

/** Changes for all selected tools; stays in view below the list. */
export function BulkBar({ selected, shown, isPending, onChange, onSelectAll, onClear }: BulkBarProps) {
  return (
    <section className={classes.bar} aria-label="Selected tools">
      <span className={shared.strong} role="status" data-numeric>
        {selected} selected
      </span>
      {selected < shown ? (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onSelectAll}>
          Select all {shown}
        </Button>
      ) : null}
      <span className={classes.actions}>
        <Button variant="default" size="compact-md" disabled={isPending} onClick={() => onChange({ enabled: true })}>
          Enable
        </Button>
        <Button variant="default" size="compact-md" disabled={isPending} onClick={() => onChange({ enabled: false })}>
          Disable
        </Button>
        {tiers.map((tier) => (
          <Button
            key={tier}
            variant="default"
            size="compact-md"
            disabled={isPending}
            aria-label={`Move to ${tierNames[tier]}`}
            onClick={() => onChange({ tier })}
          >
            {tierNames[tier]}
          </Button>
        ))}
      </span>
      <Button variant="subtle" color="gray" size="compact-md" onClick={onClear}>
        Clear selection
      </Button>
    </section>
  );
}
