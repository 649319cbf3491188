import "server-only";
import { log } from "../log";
import { processWide } from "../process-wide";
import { repeat } from "../repeat";
import { db } from "./database";
import { databaseNow } from "./database-time";

/** Pause between two comparisons with the database's clock. */
const compareAfterMs = 30_000;

/** Comparisons of one measurement; the quickest answer tells the difference best. */
const attempts = 3;

/** A difference worth a warning, because somebody should repair that machine's clock. */
const worthTellingMs = 5_000;

const clock = () => processWide("shared-clock", () => ({ aheadMs: 0 }));

/**
 * Returns the database's time, as this process last measured it. Times that are stored, or compared with stored ones,
 * come from here or from SQL, because replicas' own clocks differ. Durations are measured with the process's clock.
 */
export function sharedNow(): Date {
  return new Date(sharedNowMs());
}

/** The same as `sharedNow`, in milliseconds since 1970. */
export function sharedNowMs(): number {
  return Date.now() + clock().aheadMs;
}

/** Measures the difference between the database's clock and this process's. */
export async function compareClocks(): Promise<void> {
  let best = { tookMs: Number.POSITIVE_INFINITY, aheadMs: 0 };
  for (let attempt = 0; attempt < attempts; attempt++) {
    const sent = Date.now();
    const there = await databaseNow(db());
    const tookMs = Date.now() - sent;
    if (tookMs < best.tookMs) best = { tookMs, aheadMs: Math.round(there.getTime() - (sent + tookMs / 2)) };
  }
  // A difference within the way there and back is no difference that can be known.
  const aheadMs = Math.abs(best.aheadMs) <= best.tookMs / 2 + 1 ? 0 : best.aheadMs;
  if (Math.abs(aheadMs - clock().aheadMs) > worthTellingMs)
    log().warn({ aheadMs }, "this machine's clock differs from the database's; the database's counts");
  clock().aheadMs = aheadMs;
}

/** Compares the clocks now and every half minute. @returns a function that stops it */
export async function followDatabaseClock(): Promise<() => Promise<void>> {
  await compareClocks();
  return repeat(
    async () => {
      await compareClocks();
      return compareAfterMs;
    },
    { pauseMs: compareAfterMs, onError: (error) => log().debug({ err: error }, "the database's clock could not be read") },
  );
}
