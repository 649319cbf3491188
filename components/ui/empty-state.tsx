import type { IconProps } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import classes from "./empty-state.module.css";

type EmptyStateProps = {
  icon: ComponentType<IconProps>;
  title: string;
  /** What to do next. */
  children: ReactNode;
  /** The button that does it. */
  action?: ReactNode;
};

/** Where there is nothing yet: says why, and what to do next. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Icon size={28} stroke={1.4} aria-hidden className={classes.icon} />
      <p className={classes.title}>{title}</p>
      <div className={classes.words}>{children}</div>
      {action ? <div className={classes.action}>{action}</div> : null}
    </div>
  );
}
