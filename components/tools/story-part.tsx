import type { ReactNode } from "react";
import { sentenceOf } from "@/components/api/sentence-of";
import classes from "./tool-story.module.css";

type StoryPartProps = {
  title: string;
  /** Small, beside the title. */
  note?: ReactNode;
  /** Why a change here was not saved; null where a field says it. */
  error: unknown;
  children: ReactNode;
};

/** A part of a tool's story that can be changed. */
export function StoryPart({ title, note, error, children }: StoryPartProps) {
  return (
    <section className={classes.part} aria-label={title}>
      <div className={classes.partHeader}>
        <h3 className={classes.partTitle}>{title}</h3>
        {note ? <span className={classes.note}>{note}</span> : null}
      </div>
      {children}
      {error ? (
        <p role="alert" className={classes.error}>
          {sentenceOf(error)}
        </p>
      ) : null}
    </section>
  );
}
