import Link from "next/link";
import classes from "./turn-pages.module.css";

const pages = [
  { id: "turns", href: "/turns", label: "Turns" },
  { id: "jobs", href: "/turns/jobs", label: "Background jobs" },
] as const;

/** Links between the list of turns and the list of background jobs. */
export function TurnPages({ here }: { here: (typeof pages)[number]["id"] }) {
  return (
    <nav aria-label="Turns and their background jobs" className={classes.pages}>
      {pages.map(({ id, href, label }) => (
        <Link key={id} href={href} className={classes.page} aria-current={id === here ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
