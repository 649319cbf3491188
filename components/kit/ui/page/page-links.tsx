import Link from "next/link";
import classes from "./page-links.module.css";

type PageLinksProps<Id extends string> = {
  /** Name of the links for screen readers. */
  label: string;
  pages: readonly { id: Id; href: string; label: string }[];
  here: Id;
};

/** Links between the pages of one noun, in the manner of tabs. */
export function PageLinks<Id extends string>({ label, pages, here }: PageLinksProps<Id>) {
  return (
    <nav aria-label={label} className={classes.pages}>
      {pages.map((page) => (
        <Link key={page.id} href={page.href} className={classes.page} aria-current={page.id === here ? "page" : undefined}>
          {page.label}
        </Link>
      ))}
    </nav>
  );
}
