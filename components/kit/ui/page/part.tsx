import { type ReactNode, useId } from "react";
import shared from "../shared.module.css";

/** A part of a drawer's story, below a line. */
export function Part({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={shared.part} aria-labelledby={id}>
      <h3 className={shared.partTitle} id={id}>
        {heading}
      </h3>
      {children}
    </section>
  );
}
