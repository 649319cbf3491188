"use client";

import { useId, useState } from "react";
import { FoldButton } from "@/components/kit/ui/fold-button";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Effect } from "@/contracts/decisions/effects";
import type { EffectWords } from "./describe-effect";
import { effectLines } from "./effect-lines";
import classes from "./effect-list.module.css";

const shownAtFirst = 6;

/** The effects of a call, one per line, the most serious first. */
export function EffectList({ effects }: { effects: readonly Effect[] | undefined }) {
  const [open, setOpen] = useState(false);
  const heading = useId();
  const lines = effectLines(effects ?? []);
  if (lines.length === 0) return null;
  const hidden = lines.length - shownAtFirst;
  return (
    <div className={shared.shrinks}>
      <p className={shared.hint} id={heading}>
        Effects of this call
      </p>
      <ul className={shared.iconLines} aria-labelledby={heading}>
        {(open ? lines : lines.slice(0, shownAtFirst)).map((words) => (
          <EffectLine key={words.text} words={words} />
        ))}
      </ul>
      {hidden > 0 ? (
        <FoldButton isOpen={open} onToggle={() => setOpen(!open)} className={classes.more}>
          {open ? "Show fewer" : `and ${hidden} more`}
        </FoldButton>
      ) : null}
    </div>
  );
}

function EffectLine({ words: { before, target, after, tone, icon: Icon } }: { words: EffectWords }) {
  return (
    <li className={`${classes.line} ${shared.iconLine}`} data-tone={tone}>
      <Icon size={15} stroke={1.8} aria-hidden className={`${classes.icon} ${shared.lineIcon}`} />
      <span className={`${classes.words} ${shared.fluid}`}>
        {before}
        {target ? (
          <CodeText>
            <RevealedText text={target} />
          </CodeText>
        ) : null}
        {after}
      </span>
    </li>
  );
}
