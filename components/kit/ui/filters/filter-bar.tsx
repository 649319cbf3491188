import type { ReactNode } from "react";
import classes from "./filter-bar.module.css";

/** The filters of a list, in lines as wide as the list. Its fields take their width from the classes of this module. */
export function FilterBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <search className={classes.bar} aria-label={label}>
      {children}
    </search>
  );
}

/** Beginning and end of a period, always side by side. */
export function PeriodFilter({ children }: { children: ReactNode }) {
  return <div className={classes.period}>{children}</div>;
}

/** Begins a new line of filters. */
export function FilterBreak() {
  return <div className={classes.break} aria-hidden />;
}

/** Class names of the fields in a filter bar. */
export const filterFields = { search: classes.search, choice: classes.choice, wideChoice: classes.wideChoice };
