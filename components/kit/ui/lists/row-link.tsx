import type { ReactNode } from "react";
import { onPlainClick } from "./plain-click";
import classes from "./rows.module.css";

type RowLinkProps = {
  /** Address of the row's details, so that a browser tab can open them. */
  href: string;
  /** CSS class of the link's text. */
  className: string | undefined;
  onOpen: () => void;
  children: ReactNode;
};

/** The link that covers a whole row: a press anywhere opens the details, and `j` and `k` move between rows. */
export function RowLink({ href, className, onOpen, children }: RowLinkProps) {
  return (
    <a className={`${classes.link} ${className ?? ""}`} href={href} data-row onClick={onPlainClick(onOpen)}>
      {children}
    </a>
  );
}
