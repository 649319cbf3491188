"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import rows from "@/components/ui/rows.module.css";
import { TierBadge } from "@/components/ui/tier-badge";
import { TokenCount } from "@/components/ui/token-count";
import type { Tool, ToolTier } from "@/contracts/tools";
import { otherTier, sumTokens, tierNames } from "./sum-tokens";
import { ToolRow } from "./tool-row";
import classes from "./tools.module.css";
import type { ToolChange } from "./use-change-tool";

/** Rows drawn at a time: a browser takes seconds for a thousand of them. */
const rowsAtATime = 100;

const meanings: Record<ToolTier, string> = {
  core: "The model gets the full schema on every step.",
  extension: "The model gets one line in the directory, and the schema once it asks for the tool.",
};

type ToolSectionProps = {
  tier: ToolTier;
  /** All tools of the tier, and those of them that fit the filters. */
  all: readonly Tool[];
  shown: readonly Tool[];
  refusal: string | null;
  onOpen: (name: string) => void;
  onChange: (tool: Tool, change: ToolChange) => void;
};

/** The tools of one tier with what they cost together. */
export function ToolSection({ tier, all, shown, refusal, onOpen, onChange }: ToolSectionProps) {
  const [mostDrawn, setMostDrawn] = useState(rowsAtATime);
  const { now, inOtherTier } = sumTokens(all, tier);
  const drawn = shown.slice(0, mostDrawn);
  const headingId = `${tier}-heading`;
  return (
    <section className={classes.section} aria-labelledby={headingId}>
      <header className={classes.sectionHeader}>
        <h2 className={classes.heading} id={headingId}>
          <TierBadge tier={tier} />
          <span className={classes.count}>
            {shown.length === all.length ? all.length : `${shown.length} of ${all.length}`} {all.length === 1 ? "tool" : "tools"}
          </span>
        </h2>
        <p className={classes.meaning}>{meanings[tier]}</p>
        <p className={classes.sum}>
          <strong>
            <TokenCount tokens={now} />
          </strong>{" "}
          a step
          {all.length > 0 ? (
            <span className={classes.otherSum}>
              {" "}
              · <TokenCount tokens={inOtherTier} unit={false} /> if all were {tierNames[otherTier(tier)]}
            </span>
          ) : null}
        </p>
      </header>
      {all.length === 0 ? (
        <p className={classes.none}>No tool is {tierNames[tier]}. Move one here with the toggle in its row.</p>
      ) : shown.length === 0 ? (
        <p className={classes.none}>No {tierNames[tier]} tool fits the filters.</p>
      ) : (
        <ul className={rows.rows}>
          {drawn.map((tool) => (
            <ToolRow key={tool.id} tool={tool} refusal={refusal} onOpen={onOpen} onChange={onChange} />
          ))}
        </ul>
      )}
      {drawn.length < shown.length ? (
        <Button className={classes.more} variant="default" onClick={() => setMostDrawn(mostDrawn + rowsAtATime)}>
          Show {Math.min(rowsAtATime, shown.length - drawn.length)} more of {shown.length - drawn.length}
        </Button>
      ) : null}
    </section>
  );
}
