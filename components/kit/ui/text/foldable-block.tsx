"use client";

import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useState } from "react";
import { FoldButton } from "@/components/kit/ui/fold-button";
import { CodeBlock } from "./code-block";
import classes from "./foldable-block.module.css";
import type { DrawPiece } from "./marked-text";
import type { TextMark } from "./split-marks";

const foldedLines = 10;
/** Approximate width of a line in a card; a longer line counts as several. */
const charactersPerLine = 96;

type FoldableBlockProps = { label: string; text: string; marks?: readonly TextMark[]; startsAtEnd?: boolean; draw?: DrawPiece };

/** A machine-written text that shows how much is folded, and unfolds in place. */
export function FoldableBlock({ label, text, marks, startsAtEnd = false, draw }: FoldableBlockProps) {
  const [open, setOpen] = useState(false);
  const lines = drawnLines(text);
  if (lines <= foldedLines + 2) return <CodeBlock label={label} text={text} marks={marks} maxLines={foldedLines + 3} draw={draw} />;
  return (
    <div>
      <CodeBlock label={label} text={text} marks={marks} maxLines={open ? lines + 2 : foldedLines} startsAtEnd={startsAtEnd} draw={draw} />
      <FoldButton
        isOpen={open}
        onToggle={() => setOpen(!open)}
        className={classes.fold}
        leftSection={open ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
      >
        {open ? "Fold" : countLines(text) === 1 ? "Show all" : `Show all ${countLines(text).toLocaleString("en")} lines`}
      </FoldButton>
    </div>
  );
}

/** Counts lines like an editor: a final line feed starts no new line. */
function countLines(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

function drawnLines(text: string): number {
  return text.split("\n").reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / charactersPerLine)), 0);
}
