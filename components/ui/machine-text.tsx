import type { ReactNode } from "react";
import classes from "./machine-text.module.css";

/** A name or value that a machine wrote, inside a sentence of ours. */
export function MachineText({ children, dim = false }: { children: ReactNode; dim?: boolean }) {
  return (
    <code className={classes.text} data-dim={dim || undefined}>
      {children}
    </code>
  );
}
