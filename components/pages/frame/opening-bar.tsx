"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { openingPage, useOpeningPage } from "@/components/kit/api/opening-page";
import { pageOpenedBy } from "@/components/kit/api/waiting-navigation";
import classes from "./opening-bar.module.css";

/** A thin bar at the top of the window from the choice of a page until the page is there. */
export function OpeningBar() {
  const opening = useOpeningPage();
  const pathname = usePathname();
  useEffect(() => {
    const begin = (click: MouseEvent) => {
      const address = pageOpenedBy(click, window.location.href);
      if (address !== null) openingPage.begin(address, window.location.href);
    };
    document.addEventListener("click", begin);
    return () => document.removeEventListener("click", begin);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path says that the page is there
  useEffect(() => openingPage.end(), [pathname]);
  return opening === null ? null : <div className={classes.bar} role="progressbar" aria-label="Opening the page" />;
}
