"use client";

import { Button } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useState } from "react";
import classes from "./foldable-block.module.css";
import { MachineBlock } from "./machine-block";

const foldedLines = 10;
/** About what fits on a line of a card; a long line counts as several. */
const charactersPerLine = 96;

/** A machine's text that says how much of it is out of sight, and unfolds in place. */
export function FoldableBlock({ label, text }: { label: string; text: string }) {
  const [open, setOpen] = useState(false);
  const lines = drawnLines(text);
  if (lines <= foldedLines + 2) return <MachineBlock label={label} text={text} maxLines={foldedLines + 3} />;
  return (
    <div>
      <MachineBlock label={label} text={text} maxLines={open ? lines + 2 : foldedLines} />
      <Button
        className={classes.fold}
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={open ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? "Fold" : `Show all of it: ${text.split("\n").length} lines, ${text.length.toLocaleString("en")} characters`}
      </Button>
    </div>
  );
}

function drawnLines(text: string): number {
  return text.split("\n").reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / charactersPerLine)), 0);
}
