import type { ReactNode } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./details-section.module.css";

type DetailsSectionProps = {
  title: string;
  /** Small text beside the title. */
  note?: ReactNode;
  /** Why saving here failed; null when a field shows the error. */
  error: unknown;
  children: ReactNode;
};

/** An editable section of a tool's details. */
export function DetailsSection({ title, note, error, children }: DetailsSectionProps) {
  return (
    <section className={shared.part} aria-label={title}>
      <div className={`${classes.partHeader} ${shared.spread}`}>
        <h3 className={shared.title}>
          <RevealedText text={title} />
        </h3>
        {note ? (
          <span className={shared.small}>
            <RevealedText text={note} />
          </span>
        ) : null}
      </div>
      {children}
      {error ? (
        <p role="alert" className={classes.error}>
          {toErrorSentence(error)}
        </p>
      ) : null}
    </section>
  );
}
