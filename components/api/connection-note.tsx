"use client";

import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { connection } from "./connection";
import classes from "./connection-note.module.css";

const probeMs = 3_000;
const probeAddress = "/api/v1/health/live";

/** Requests a sign of life from the server, past every cache. */
function probe() {
  const losses = connection.losses();
  fetch(probeAddress, { cache: "no-store" }).then(
    () => connection.reached(losses),
    () => connection.lost(),
  );
}

/** Returns whether requests of this page fail to reach the server. */
export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(connection.subscribe, connection.read, connection.readOnServer).isLost;
}

/** Warns while the server is unreachable, probes until it answers, and then refetches all queries. */
export function ConnectionNote() {
  const isLost = useIsConnectionLost();
  const client = useQueryClient();
  useEffect(() => {
    // The browser may have gone offline before this page listened.
    if (!navigator.onLine) connection.lost();
    window.addEventListener("offline", connection.lost);
    window.addEventListener("online", probe);
    return () => {
      window.removeEventListener("offline", connection.lost);
      window.removeEventListener("online", probe);
    };
  }, []);
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(probe, probeMs);
    return () => {
      clearInterval(timer);
      void client.invalidateQueries();
    };
  }, [isLost, client]);
  return (
    <div role="status">
      {isLost ? (
        <p className={classes.note}>
          <IconPlugConnectedX size={16} aria-hidden />
          <span>No connection to the server. This page may be out of date; it updates when the connection is back.</span>
        </p>
      ) : null}
    </div>
  );
}
