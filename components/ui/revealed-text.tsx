import { Fragment } from "react";
import { revealHidden } from "./reveal-hidden";
import classes from "./revealed-text.module.css";

/** A text that a machine wrote, with the characters that nobody would see shown by their code points. */
export function RevealedText({ text }: { text: string }) {
  return revealHidden(text).map((piece, place) => {
    const key = place; // Pieces have no identity but their place.
    return piece.hidden ? (
      <span key={key} className={classes.hidden} title="A character that draws nothing or draws its neighbours in another order">
        {piece.text}
      </span>
    ) : (
      <Fragment key={key}>{piece.text}</Fragment>
    );
  });
}
