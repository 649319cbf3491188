"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { usePendingCount } from "@/components/approvals/pending-count";
import { destinations } from "./destinations";
import classes from "./nav-links.module.css";
import { isCurrent } from "./navigation";

/** Links to the pages; Approvals shows the number of pending ones. */
export function NavLinks({ onFollow }: { onFollow: () => void }) {
  const pathname = usePathname();
  const pending = usePendingCount();
  return (
    <ul className={classes.list}>
      {destinations.map((destination) => {
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
  );
}
