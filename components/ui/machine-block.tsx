import { CopyButton } from "./copy-button";
import classes from "./machine-block.module.css";
import { RevealedText } from "./revealed-text";

type MachineBlockProps = {
  /** Who wrote it and what it is: "Command from the model", "Standard error". */
  label: string;
  text: string;
  /** Lines that fit before it scrolls. */
  maxLines?: number;
  /** Keeps long lines whole and scrolls sideways; for code and tables. */
  nowrap?: boolean;
};

/** What a model or a tool wrote, framed and labelled so that it cannot pass for words of the product. */
export function MachineBlock({ label, text, maxLines = 16, nowrap = false }: MachineBlockProps) {
  return (
    <figure className={classes.block}>
      <figcaption className={classes.label}>
        <span>{label}</span>
        <CopyButton text={text} what={label.toLowerCase()} size="xs" />
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be a landmark a block */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div role="group" aria-label={label} className={classes.scroll} style={{ maxHeight: `${maxLines * 1.4 + 1.25}em` }} tabIndex={0}>
        <pre className={classes.text} data-nowrap={nowrap || undefined}>
          <RevealedText text={text} />
        </pre>
      </div>
    </figure>
  );
}
