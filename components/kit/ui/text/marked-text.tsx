import { Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./marked-text.module.css";
import { RevealedText } from "./revealed-text";
import { splitMarks, type TextMark } from "./split-marks";

/** Draws a piece of a text; `start` is the piece's offset. */
export type DrawPiece = (text: string, start: number) => ReactNode;

const drawPlain: DrawPiece = (text, start) => <RevealedText key={start} text={text} />;

type MarkedTextProps = { text: string; marks: readonly TextMark[]; draw?: DrawPiece | undefined };

/** A machine-written text with underlined words; hover or focus shows their notes. */
export function MarkedText({ text, marks, draw = drawPlain }: MarkedTextProps) {
  if (marks.length === 0) return draw(text, 0);
  return splitMarks(text, marks).map((piece) =>
    piece.tone === null ? (
      draw(piece.text, piece.start)
    ) : (
      <Tooltip key={piece.start} label={<RevealedText text={piece.notes.join("\n")} />} className={classes.note}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the note must be reachable by keyboard */}
        <mark className={classes.mark} data-tone={piece.tone} tabIndex={0}>
          {draw(piece.text, piece.start)}
        </mark>
      </Tooltip>
    ),
  );
}
