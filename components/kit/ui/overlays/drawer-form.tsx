import type { ReactNode } from "react";
import shared from "../shared.module.css";
import classes from "./drawer-form.module.css";

type DrawerFormProps = {
  onSubmit: () => void;
  /** Stays in view below the scrolling fields, and never covers them. */
  footer: ReactNode;
  /** Content beside the fields, or below them in a narrow window. */
  aside?: ReactNode;
  /** Fields of the form. */
  children: ReactNode;
};

/** A form that fills a drawer below its header. */
export function DrawerForm({ onSubmit, footer, aside, children }: DrawerFormProps) {
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      noValidate
    >
      <div className={classes.body} data-columns={aside ? true : undefined}>
        <div className={classes.fields}>{children}</div>
        {aside ? <div className={classes.aside}>{aside}</div> : null}
      </div>
      <div className={`${classes.footer} ${shared.footer}`}>{footer}</div>
    </form>
  );
}
