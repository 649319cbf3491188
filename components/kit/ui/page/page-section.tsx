import { type ReactNode, useId } from "react";
import shared from "../shared.module.css";

type PageSectionProps = {
  heading: ReactNode;
  /** Controls at the other end of the heading's line. */
  aside?: ReactNode;
  /** Nothing stands above the section. */
  isFirst?: boolean;
  /** CSS class in place of the space above. */
  className?: string | undefined;
  children: ReactNode;
};

/** A section of a page with its heading. */
export function PageSection({
  heading,
  aside,
  isFirst = false,
  className = isFirst ? undefined : shared.apart,
  children,
}: PageSectionProps) {
  const id = useId();
  return (
    <section className={className} aria-labelledby={id}>
      <header className={shared.sectionHeader}>
        <h2 className={shared.heading} id={id}>
          {heading}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
