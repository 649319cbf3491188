import type { IconProps } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";
import classes from "./empty-state.module.css";

type EmptyStateProps = {
  icon: ComponentType<IconProps>;
  title: string;
  /** The next step. */
  children: ReactNode;
  /** Button for the next step. */
  action?: ReactNode;
};

/** Replaces an empty list: says why it is empty and names the next step. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Icon size={28} stroke={1.4} aria-hidden className={shared.dim} />
      <p className={classes.title}>
        <RevealedText text={title} />
      </p>
      <div className={classes.words}>{children}</div>
      {action ? <div className={classes.action}>{action}</div> : null}
    </div>
  );
}
