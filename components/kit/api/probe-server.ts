import { connection } from "./connection";

/** Pause between two signs of life while the connection is lost. */
export const probeMs = 3_000;

const address = "/api/v1/health/live";

/** Requests a sign of life from the server, past every cache. A proxy that answers for a server that is gone is none. */
export function probeServer(): void {
  const losses = connection.losses();
  fetch(address, { cache: "no-store" }).then(
    ({ ok }) => (ok ? connection.reached(losses) : connection.lost()),
    () => connection.lost(),
  );
}
