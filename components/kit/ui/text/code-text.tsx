import type { ReactNode } from "react";
import classes from "./code-text.module.css";
import { RevealedText } from "./revealed-text";

/** A machine-written name or value inside a sentence of ours. */
export function CodeText({ children, dim = false }: { children: ReactNode; dim?: boolean }) {
  return (
    <code className={classes.text} data-dim={dim || undefined}>
      <RevealedText text={children} />
    </code>
  );
}
