"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useId, useRef } from "react";
import { useOpeningPage } from "@/components/kit/api/opening-page";
import shared from "@/components/kit/ui/shared.module.css";
import { usePendingCount } from "@/components/nouns/approvals/watch/pending-count";
import { destinationGroups } from "./destinations";
import classes from "./nav-links.module.css";
import { type DestinationGroup, isCurrent } from "./navigation";

/** Links to the pages in their groups; Approvals shows the number of pending ones. */
export function NavLinks({ onFollow }: { onFollow: () => void }) {
  const pathname = usePathname();
  const pages = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path moves the mark to another link
  useEffect(() => {
    if (pages.current) showCurrent(pages.current);
  }, [pathname]);
  return (
    <div className={classes.pages} ref={pages}>
      {destinationGroups.map((group) => (
        <NavGroup key={group.label} group={group} onFollow={onFollow} />
      ))}
    </div>
  );
}

/** Scrolls the list to the open page's link, because a low window shows a part of the list. */
function showCurrent(list: HTMLElement) {
  const link = list.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!link) return;
  const { top, bottom } = list.getBoundingClientRect();
  if (link.bottom > bottom) list.scrollTop += link.bottom - bottom;
  else if (link.top < top) list.scrollTop += link.top - top;
}

/** The heading is no `h2`, because the page's `h1` comes after it; it names its list instead. */
function NavGroup({ group, onFollow }: { group: DestinationGroup; onFollow: () => void }) {
  const pathname = usePathname();
  const pending = usePendingCount();
  const opening = useOpeningPage();
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
              <Link
                href={href}
                className={classes.link}
                aria-current={current ? "page" : undefined}
                data-opening={href === opening || undefined}
                onClick={onFollow}
              >
                <Icon size={18} stroke={1.6} aria-hidden />
                <span className={classes.label}>{label}</span>
                {href === "/approvals" && pending > 0 ? (
                  <span className={`${classes.count} ${shared.askTint}`} data-numeric>
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
