import shared from "../shared.module.css";
import classes from "./code-block.module.css";
import { CopyButton } from "./copy-button";
import { type DrawPiece, MarkedText } from "./marked-text";
import type { TextMark } from "./split-marks";

type CodeBlockProps = {
  /** Author and kind of the text: "Command from the model", "Standard error". */
  label: string;
  text: string;
  /** Lines before the block scrolls. */
  maxLines?: number;
  /** Words to underline, each with a note. */
  marks?: readonly TextMark[] | undefined;
  /** Keeps long lines whole and scrolls sideways; for code and tables. */
  nowrap?: boolean;
  /** Starts at the last lines, where a failing program prints its error. */
  startsAtEnd?: boolean;
  /** Draws pieces of the text with colours. */
  draw?: DrawPiece | undefined;
};

const scrollToEnd = (element: HTMLElement | null) => {
  if (element) element.scrollTop = element.scrollHeight;
};

/** Text of a model or a tool, framed and labelled so that nobody mistakes it for text of the product. */
export function CodeBlock({ label, text, maxLines = 16, marks = [], nowrap = false, startsAtEnd = false, draw }: CodeBlockProps) {
  const maxHeight = `${maxLines * 1.4 + 1.25}em`;
  return (
    <figure className={shared.block}>
      <figcaption className={classes.label}>
        <span>{label}</span>
        <CopyButton text={text} what={label.toLowerCase()} size="xs" />
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be a landmark a block */}
      <div
        role="group"
        aria-label={label}
        className={classes.scroll}
        style={{ maxHeight }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        ref={startsAtEnd ? scrollToEnd : null}
      >
        <pre className={classes.text} data-nowrap={nowrap || undefined}>
          <MarkedText text={text} marks={marks} draw={draw} />
        </pre>
      </div>
    </figure>
  );
}
