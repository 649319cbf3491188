"use client";

import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { RiskMark } from "@/components/kit/ui/badges/risk-mark";
import shared from "@/components/kit/ui/shared.module.css";
import { useNow } from "@/components/kit/ui/text/now";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { InboxGroup } from "@/contracts/approvals/approvals";
import { timeLeft } from "../time-left";
import classes from "./inbox-list.module.css";

type GroupRowProps = {
  group: InboxGroup;
  /** Position in the list, from 0. */
  place: number;
  isOpen: boolean;
  /** Number of selected approvals in the group. */
  selectedCount: number;
  /** The group's approvals are being loaded for the selection. */
  isSelecting: boolean;
  onToggle: () => void;
  onSelect: (isSelected: boolean) => void;
};

/** Approvals of one rule and shape as one line, which unfolds and selects them together. */
export function GroupRow({ group, place, isOpen, selectedCount, isSelecting, onToggle, onSelect }: GroupRowProps) {
  const tick = useRef<HTMLInputElement>(null);
  const isPartly = selectedCount > 0 && selectedCount < group.count;
  useEffect(() => {
    if (tick.current) tick.current.indeterminate = isPartly;
  }, [isPartly]);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li className={classes.row} data-group data-place={place}>
      <label className={classes.tick}>
        <input
          ref={tick}
          type="checkbox"
          aria-label={`Select all ${group.count} of ${group.shape}`}
          checked={isSelecting || (selectedCount > 0 && selectedCount >= group.count)}
          disabled={isSelecting || group.count === 0}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </label>
      <button type="button" className={classes.link} data-row aria-expanded={isOpen} onClick={onToggle}>
        <span className={classes.first}>
          <Chevron size={14} aria-hidden className={shared.dimIcon} />
          <span className={`${classes.what} ${shared.oneLine}`}>
            <RevealedText text={group.shape || group.tool} />
          </span>
          <strong className={classes.count} data-numeric>
            {group.count.toLocaleString("en")}
          </strong>
        </span>
        <span className={classes.second}>
          <RiskMark risk={group.worstRisk} />
          <span className={`${classes.agent} ${shared.oneLine}`}>
            <RevealedText text={group.ruleName ?? "No rule"} />
          </span>
          <span className={`${classes.tool} ${shared.oneLine}`}>{group.tool}</span>
          <NextExpiry at={group.nextExpiry} />
        </span>
      </button>
    </li>
  );
}

function NextExpiry({ at }: { at: string }) {
  return (
    <span data-numeric suppressHydrationWarning>
      next <RevealedText text={timeLeft(at, useNow(10)).text} />
    </span>
  );
}
