"use client";

import { useMemo, useState } from "react";
import { FoldButton } from "@/components/kit/ui/fold-button";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type DiffLine, diffLines, foldUnchanged } from "@/contracts/lib/diff-lines";
import classes from "./diff-view.module.css";
import { ScrollFigure } from "./scroll-figure";

type DiffViewProps = {
  /** Name of the comparison: "app/config.ts · 2 lines added". */
  label: string;
  before: string;
  after: string;
};

const signs = { same: " ", removed: "−", added: "+" } as const;
const words = { same: "", removed: "removed: ", added: "added: " } as const;
/** Lines drawn before the person asks for the rest. */
const linesAtFirst = 200;

/** A unified diff: removed lines in red with a minus, added lines in green with a plus. */
export default function DiffView({ label, before, after }: DiffViewProps) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const chunks = useMemo(() => foldUnchanged(lines), [lines]);
  const changed = lines.filter(({ kind }) => kind !== "same").length;
  const drawn = chunks.reduce((sum, chunk) => sum + (chunk.kind === "lines" ? chunk.lines.length : 0), 0);
  let left = isWhole ? Number.POSITIVE_INFINITY : linesAtFirst;
  return (
    <ScrollFigure
      label={label}
      className={classes.scroll}
      footer={
        drawn > linesAtFirst ? (
          <FoldButton isOpen={isWhole} onToggle={() => setIsWhole(!isWhole)}>
            {isWhole ? "Show less" : `Show all ${drawn.toLocaleString("en")} lines`}
          </FoldButton>
        ) : null
      }
    >
      {changed === 0 ? <p className={classes.hidden}>No line changes.</p> : null}
      {chunks.map((chunk, place) => {
        const key = place; // Chunks have no id, so their position is the key.
        if (chunk.kind === "hidden") {
          return changed === 0 ? null : (
            <p key={key} className={classes.hidden}>
              {chunk.count.toLocaleString("en")} unchanged {chunk.count === 1 ? "line" : "lines"}
            </p>
          );
        }
        const shown = chunk.lines.slice(0, Math.max(0, left));
        left -= shown.length;
        return shown.map((line) => <Line key={`${line.oldNumber} ${line.newNumber}`} line={line} />);
      })}
    </ScrollFigure>
  );
}

function Line({ line: { kind, text, oldNumber, newNumber } }: { line: DiffLine }) {
  return (
    <div className={classes.line} data-kind={kind}>
      <span className={classes.number} aria-hidden>
        {newNumber ?? oldNumber}
      </span>
      <span className={classes.sign} aria-hidden>
        {signs[kind]}
      </span>
      <code className={classes.text}>
        {kind === "same" ? null : <span className={shared.spoken}>{words[kind]}</span>}
        <RevealedText text={text} />
      </code>
    </div>
  );
}
