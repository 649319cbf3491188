"use client";

import { Button } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { connection } from "./connection";
import classes from "./connection-note.module.css";
import { probeMs, probeServer } from "./probe-server";
import { pageOpenedBy, useWaitingNavigation, waitingNavigation } from "./waiting-navigation";

/** Returns whether requests of this page fail to reach the server. */
export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(connection.subscribe, connection.read, connection.readOnServer).isLost;
}

/**
 * Warns while the server is unreachable, probes until it answers, and then refetches all queries. Until then every other page
 * of the console waits, so that nothing typed here is lost.
 */
export function ConnectionNote() {
  const isLost = useIsConnectionLost();
  const waiting = useWaitingNavigation();
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    // The browser may have gone offline before this page listened.
    if (!navigator.onLine) connection.lost();
    window.addEventListener("offline", connection.lost);
    window.addEventListener("online", probeServer);
    return () => {
      window.removeEventListener("offline", connection.lost);
      window.removeEventListener("online", probeServer);
    };
  }, []);
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(probeServer, probeMs);
    const holdBack = (click: MouseEvent) => {
      const address = pageOpenedBy(click, window.location.href);
      if (address === null) return;
      click.preventDefault();
      click.stopPropagation();
      waitingNavigation.wait(address);
    };
    // The browser asks first when the page is left by its own buttons.
    const askFirst = (leaving: BeforeUnloadEvent) => leaving.preventDefault();
    // Before the links' own handlers, which would load the page.
    document.addEventListener("click", holdBack, true);
    window.addEventListener("beforeunload", askFirst);
    return () => {
      clearInterval(timer);
      document.removeEventListener("click", holdBack, true);
      window.removeEventListener("beforeunload", askFirst);
      void client.invalidateQueries();
      const address = waitingNavigation.take();
      if (address !== null) router.push(address);
    };
  }, [isLost, client, router]);
  return (
    <div role="status">
      {isLost ? (
        <p className={classes.note}>
          <IconPlugConnectedX size={16} aria-hidden />
          <span>
            No connection to the server.{" "}
            {waiting === null ? "This page updates when it is back." : "The page that you chose opens when it is back."}
          </span>
          {waiting === null ? null : (
            <Button size="compact-xs" variant="default" onClick={waitingNavigation.drop}>
              Stay here
            </Button>
          )}
        </p>
      ) : null}
    </div>
  );
}
