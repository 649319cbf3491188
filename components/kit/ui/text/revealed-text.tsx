import { Children, Fragment, type ReactNode } from "react";
import { revealHidden } from "./reveal-hidden";
import classes from "./revealed-text.module.css";

/** A machine-written text with its invisible characters shown by code point. Elements among texts are drawn as they are. */
export function RevealedText({ text }: { text: ReactNode }) {
  return typeof text === "string" ? (
    <Pieces text={text} />
  ) : (
    Children.map(text, (child) => (typeof child === "string" ? <Pieces text={child} /> : child))
  );
}

function Pieces({ text }: { text: string }) {
  return revealHidden(text).map((piece, place) => {
    const key = place; // Pieces have no id, so their position is the key.
    return piece.hidden ? (
      <span key={key} className={classes.hidden} title="An invisible character, or one that reorders its neighbours">
        {piece.text}
      </span>
    ) : (
      <Fragment key={key}>{piece.text}</Fragment>
    );
  });
}
