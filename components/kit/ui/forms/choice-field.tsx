import { SegmentedControl, type SegmentedControlProps } from "@mantine/core";
import { type ReactNode, useId } from "react";
import shared from "../shared.module.css";
import classes from "./fields.module.css";

type ChoiceFieldProps<Value extends string> = Omit<SegmentedControlProps<Value>, "children"> & {
  label: string;
  /** Sentence between the label and the choices. */
  hint?: ReactNode;
  /** Content below the choices. */
  children?: ReactNode;
};

/** A labelled choice among a few values that are all in view. */
export function ChoiceField<Value extends string>({ label, hint, children, ...control }: ChoiceFieldProps<Value>) {
  const id = useId();
  return (
    <div>
      <span className={classes.label} id={id}>
        {label}
      </span>
      {hint ? <p className={shared.hint}>{hint}</p> : null}
      <SegmentedControl<Value> aria-labelledby={id} {...control} />
      {children}
    </div>
  );
}
