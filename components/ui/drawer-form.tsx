import type { FormEvent, ReactNode } from "react";
import classes from "./drawer-form.module.css";

type DrawerFormProps = {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Stays in view below what scrolls, and never lies over it. */
  footer: ReactNode;
  /** What stands beside the fields, or below them where there is no room. */
  aside?: ReactNode;
  /** The fields, one below the other. */
  children: ReactNode;
};

/** A form that fills a drawer below its header. */
export function DrawerForm({ onSubmit, footer, aside, children }: DrawerFormProps) {
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      <div className={classes.body} data-columns={aside ? true : undefined}>
        <div className={classes.fields}>{children}</div>
        {aside ? <div className={classes.aside}>{aside}</div> : null}
      </div>
      <div className={classes.footer}>{footer}</div>
    </form>
  );
}
