"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useId } from "react";
import { usePendingCount } from "@/components/approvals/pending-count";
import { destinationGroups } from "./destinations";
import classes from "./nav-links.module.css";
import { type DestinationGroup, isCurrent } from "./navigation";

/** Links to the pages in their groups; Approvals shows the number of pending ones. */
export function NavLinks({ onFollow }: { onFollow: () => void }) {
  return (
    <>
      {destinationGroups.map((group) => (
        <NavGroup key={group.label} group={group} onFollow={onFollow} />
      ))}
    </>
  );
}

/** The heading is no `h2`, because the page's `h1` comes after it; it names its list instead. */
function NavGroup({ group, onFollow }: { group: DestinationGroup; onFollow: () => void }) {
  const pathname = usePathname();
  const pending = usePendingCount();
  const headingId = useId();
  return (
    <div className={classes.group}>
      <p className={classes.heading} id={headingId}>
        {group.label}
      </p>
      <ul className={classes.list} aria-labelledby={headingId}>
        {group.destinations.map((destination) => {
          const { href, label, icon: Icon } = destination;
          const current = isCurrent(destination, pathname);
          return (
            <li key={href}>
              <Link href={href} className={classes.link} aria-current={current ? "page" : undefined} onClick={onFollow}>
                <Icon size={18} stroke={1.6} aria-hidden />
                <span className={classes.label}>{label}</span>
                {href === "/approvals" && pending > 0 ? (
                  <span className={classes.count} data-numeric>
                    {pending > 99 ? "99+" : pending}
                    <span className={classes.hidden}> pending</span>
                  </span>
                ) : null}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
