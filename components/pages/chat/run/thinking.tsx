import { IconBrain } from "@tabler/icons-react";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./thinking.module.css";

/** The model's thinking, folded away from its answer. */
export function Thinking({ text, isLive }: { text: string; isLive: boolean }) {
  return (
    <details className={classes.thinking}>
      <summary>
        <IconBrain size={15} stroke={1.7} aria-hidden />
        {isLive ? "Thinking…" : "Thought"}
      </summary>
      <p className={classes.text}>
        <RevealedText text={text} />
      </p>
    </details>
  );
}
