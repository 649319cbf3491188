import type { OutcomeGroup } from "@/contracts/calls/call-outcomes";
import classes from "./outcome-label.module.css";
import { outcomeWords } from "./outcome-series";

/** An outcome as a swatch of its bar's colour and a word. */
export function OutcomeLabel({ outcome }: { outcome: OutcomeGroup }) {
  const { word, colour } = outcomeWords[outcome];
  return (
    <span className={classes.label}>
      <span className={classes.swatch} style={{ background: colour }} data-outcome={outcome} aria-hidden />
      {word}
    </span>
  );
}
