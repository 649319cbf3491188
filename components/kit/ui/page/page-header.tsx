import type { ReactNode } from "react";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";
import classes from "./page-header.module.css";

/** Title and description of a page, with the page's actions at the right. */
export function PageHeader({ title, description, children }: { title: ReactNode; description?: ReactNode; children?: ReactNode }) {
  return (
    <header className={`${classes.header} ${shared.spread}`}>
      <div className={classes.words}>
        <h1 className={classes.title}>
          <RevealedText text={title} />
        </h1>
        {typeof description === "string" && description !== "" ? (
          <p className={classes.description}>
            <RevealedText text={description} />
          </p>
        ) : (
          description && (
            <div className={classes.description}>
              <RevealedText text={description} />
            </div>
          )
        )}
      </div>
      {children ? <div className={shared.bar}>{children}</div> : null}
    </header>
  );
}
