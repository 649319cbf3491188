import Link from "next/link";
import classes from "./turn-pages.module.css";

const pages = [
  { id: "turns", href: "/turns", label: "Turns" },
  { id: "jobs", href: "/turns/jobs", label: "Background jobs" },
  { id: "artifacts", href: "/turns/artifacts", label: "Artifacts" },
] as const;

/** Links between the lists of turns, of background jobs and of artifacts. */
export function TurnPages({ here }: { here: (typeof pages)[number]["id"] }) {
  return (
    <nav aria-label="Turns, background jobs and artifacts" className={classes.pages}>
      {pages.map(({ id, href, label }) => (
        <Link key={id} href={href} className={classes.page} aria-current={id === here ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
