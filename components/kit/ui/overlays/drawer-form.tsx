import type { ReactNode, Ref } from "react";
import { LateForm } from "../forms/late-form";
import shared from "../shared.module.css";
import classes from "./drawer-form.module.css";

type DrawerFormProps = {
  onSubmit: () => void;
  /** Stays in view below the scrolling fields, and never covers them. */
  footer: ReactNode;
  /** Content beside the fields, or below them in a narrow window. */
  aside?: ReactNode;
  /** Gets the element around the fields. */
  body?: Ref<HTMLDivElement>;
  /** Fields of the form. */
  children: ReactNode;
};

/** A form that fills a drawer below its header. */
export function DrawerForm({ onSubmit, footer, aside, body, children }: DrawerFormProps) {
  return (
    <LateForm
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      noValidate
    >
      <div className={classes.body} data-columns={aside ? true : undefined}>
        <div className={classes.fields} ref={body}>
          {children}
        </div>
        {aside ? <div className={classes.aside}>{aside}</div> : null}
      </div>
      <div className={`${classes.footer} ${shared.footer}`}>{footer}</div>
    </LateForm>
  );
}
