import type { ReactNode } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./settings.module.css";

type SectionProps = { id: string; title: string; description: string; action?: ReactNode; children: ReactNode };

/** One part of the settings. */
export function Section({ id, title, description, action, children }: SectionProps) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <header className={`${classes.sectionHeader} ${shared.spread}`}>
        <div className={classes.sectionWords}>
          <h2 className={shared.heading} id={id}>
            <RevealedText text={title} />
          </h2>
          <p className={classes.description}>
            <RevealedText text={description} />
          </p>
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
