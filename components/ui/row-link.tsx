import type { ReactNode } from "react";
import { opensHere } from "./opens-here";
import classes from "./rows.module.css";

type RowLinkProps = {
  /** Address that shows the row's story, so that it can be opened in a tab of its own. */
  href: string;
  /** How its words look. */
  className: string | undefined;
  onOpen: () => void;
  children: ReactNode;
};

/** The link that a whole row is: pressing anywhere on the row opens its story, and `j` and `k` walk from one to the next. */
export function RowLink({ href, className, onOpen, children }: RowLinkProps) {
  return (
    <a className={`${classes.link} ${className ?? ""}`} href={href} data-row onClick={opensHere(onOpen)}>
      {children}
    </a>
  );
}
