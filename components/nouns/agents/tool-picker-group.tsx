"use client";

import { Checkbox } from "@mantine/core";
import { TierBadge } from "@/components/kit/ui/badges/tier-badge";
import { useDrawnRows } from "@/components/kit/ui/lists/use-drawn-rows";
import shared from "@/components/kit/ui/shared.module.css";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import { ToolWarnings } from "@/components/nouns/tools/tool-warnings";
import classes from "./agents.module.css";
import { computeTickState, type ToolGroup } from "./tool-groups";

type ToolPickerGroupProps = {
  group: ToolGroup;
  ticked: ReadonlySet<string>;
  /** The agent's disclosure mode gives every tool in full. */
  isLegacy: boolean;
  isDisabled: boolean;
  onTick: (names: readonly string[], isTicked: boolean) => void;
};

/** The tools of one source, ticked one by one or together. */
export function ToolPickerGroup({ group: { source, tools }, ticked, isLegacy, isDisabled, onTick }: ToolPickerGroupProps) {
  const state = computeTickState(tools, ticked);
  const count = tools.filter(({ name }) => ticked.has(name)).length;
  const [drawn, more] = useDrawnRows(tools, 50, { size: "compact-sm" });
  return (
    <section className={`${classes.group} ${shared.surface}`} aria-label={`Tools of ${source}`}>
      <div className={`${classes.groupHeader} ${shared.spread}`}>
        <Checkbox
          label={<span className={`${classes.toolName} ${shared.mono}`}>{source}</span>}
          aria-label={`All tools of ${source}`}
          checked={state === "all"}
          indeterminate={state === "some"}
          disabled={isDisabled}
          onChange={() =>
            onTick(
              tools.map(({ name }) => name),
              state !== "all",
            )
          }
        />
        <span className={`${shared.dim} ${shared.wrapping}`} data-numeric>
          {count} of {tools.length} ticked
        </span>
      </div>
      <ul>
        {drawn.map((tool) => (
          <li key={tool.id} className={classes.tool}>
            <Checkbox
              label={
                <span className={`${classes.toolName} ${shared.mono}`}>
                  <RevealedText text={tool.name} />
                </span>
              }
              aria-label={tool.name}
              description={
                <span className={classes.toolWords}>
                  <RevealedText text={plainPreview(tool.description)} />
                </span>
              }
              checked={ticked.has(tool.name)}
              disabled={isDisabled}
              onChange={(event) => onTick([tool.name], event.currentTarget.checked)}
            />
            <span className={shared.bar}>
              {tool.enabled ? null : <span className={shared.small}>Disabled</span>}
              <ToolWarnings tool={tool} />
              <TierBadge tier={tool.tier} />
            </span>
            <span className={classes.tokens}>
              <TokenCount tokens={isLegacy ? tool.tokens.core : tool.tokens[tool.tier]} />
            </span>
          </li>
        ))}
      </ul>
      {more ? <div className={classes.more}>{more}</div> : null}
    </section>
  );
}
