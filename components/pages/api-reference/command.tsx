import shared from "@/components/kit/ui/shared.module.css";
import { CopyButton } from "@/components/kit/ui/text/copy-button";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./api-reference.module.css";

/** A command to copy into a shell. */
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <figure className={classes.command}>
      <figcaption className={classes.commandLabel}>
        {label}
        <CopyButton text={text} what="the command" size="xs" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className={`${classes.commandText} ${shared.mono}`} tabIndex={0}>
        <RevealedText text={text} />
      </pre>
    </figure>
  );
}
