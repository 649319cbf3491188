"use client";

import { Checkbox } from "@mantine/core";
import { TierBadge } from "@/components/kit/ui/badges/tier-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { useDrawnRows } from "@/components/kit/ui/lists/use-drawn-rows";
import shared from "@/components/kit/ui/shared.module.css";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import { otherTier, sumTokens, tierNames } from "@/components/nouns/tools/sum-tokens";
import type { Tool, ToolTier } from "@/contracts/tools/tools";
import { ToolRow } from "./tool-row";
import classes from "./tools.module.css";
import type { ToolChange } from "./use-change-tool";

const meanings: Record<ToolTier, string> = {
  core: "The model gets the full schema with every request.",
  extension: "The model gets one line in the directory, and the schema after it enables the tool.",
};

type ToolSectionProps = {
  tier: ToolTier;
  /** All tools of the tier, and those that match the filters. */
  all: readonly Tool[];
  shown: readonly Tool[];
  refusal: string | null;
  selected: ReadonlySet<string>;
  onSelect: (name: string, withShift: boolean) => void;
  /** Selects or deselects the tools of the tier that match the filters. */
  onSelectAll: (names: readonly string[], isSelected: boolean) => void;
  onOpen: (name: string) => void;
  onChange: (tool: Tool, change: ToolChange) => void;
};

/** The tools of one tier with their total tokens. */
export function ToolSection({ tier, all, shown, refusal, selected, onSelect, onSelectAll, onOpen, onChange }: ToolSectionProps) {
  const { now, inOtherTier } = sumTokens(all, tier);
  const [drawn, more] = useDrawnRows(shown, 200, { className: classes.more });
  const chosen = shown.filter(({ name }) => selected.has(name)).length;
  const headingId = `${tier}-heading`;
  return (
    <section className={classes.section} aria-labelledby={headingId}>
      <header className={classes.sectionHeader}>
        <h2 className={classes.heading} id={headingId}>
          {shown.length > 0 ? (
            <Checkbox
              className={classes.selectAll}
              aria-label={`Select ${shown.length === all.length ? "all" : "matching"} ${tierNames[tier]} tools`}
              checked={chosen === shown.length}
              indeterminate={chosen > 0 && chosen < shown.length}
              disabled={refusal !== null}
              onChange={() =>
                onSelectAll(
                  shown.map(({ name }) => name),
                  chosen < shown.length,
                )
              }
            />
          ) : null}
          <TierBadge tier={tier} />
          <span className={classes.count}>
            {shown.length === all.length ? all.length : `${shown.length} of ${all.length}`} {all.length === 1 ? "tool" : "tools"}
          </span>
        </h2>
        <p className={`${classes.meaning} ${shared.note}`}>{meanings[tier]}</p>
        <p className={`${classes.sum} ${shared.note}`}>
          <strong>
            <TokenCount tokens={now} />
          </strong>{" "}
          per request
          {all.length > 0 ? (
            <>
              {" "}
              (<TokenCount tokens={inOtherTier} unit={false} /> if all {tierNames[otherTier(tier)]})
            </>
          ) : null}
        </p>
      </header>
      {all.length === 0 ? (
        <p className={`${classes.none} ${shared.note}`}>No {tierNames[tier]} tools. Move one here with the toggle in its row.</p>
      ) : shown.length === 0 ? (
        <p className={`${classes.none} ${shared.note}`}>No matching {tierNames[tier]} tools.</p>
      ) : (
        <ul className={rows.rows}>
          {drawn.map((tool) => (
            <ToolRow
              key={tool.id}
              tool={tool}
              refusal={refusal}
              isSelected={selected.has(tool.name)}
              onSelect={onSelect}
              onOpen={onOpen}
              onChange={onChange}
            />
          ))}
        </ul>
      )}
      {more}
    </section>
  );
}
