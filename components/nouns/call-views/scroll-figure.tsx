import type { ReactNode } from "react";
import shared from "@/components/kit/ui/shared.module.css";

type ScrollFigureProps = {
  label: string;
  /** CSS class of the scrolling content. */
  className: string | undefined;
  /** Content below the scrolling one. */
  footer?: ReactNode;
  children: ReactNode;
};

/** A labelled block of a call whose content scrolls on its own. */
export function ScrollFigure({ label, className, footer, children }: ScrollFigureProps) {
  return (
    <figure className={shared.block}>
      <figcaption className={shared.blockLabel}>{label}</figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className={className} role="group" aria-label={label} tabIndex={0}>
        {children}
      </div>
      {footer}
    </figure>
  );
}
