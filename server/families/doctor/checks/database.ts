import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database/database";
import type { Check } from "@/server/platform/extension-points/doctor-checks";

const bytesPerMegabyte = 1_048_576;

export const databaseCheck: Check = {
  name: "Database",
  isOffline: false,
  run: async () => {
    const startedAt = performance.now();
    const [row] = await db().execute<{ version: string; bytes: string }>(
      sql`select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes`,
    );
    const ms = Math.round(performance.now() - startedAt);
    const megabytes = Math.round(Number(row?.bytes ?? 0) / bytesPerMegabyte).toLocaleString("en");
    return [{ name: "Database", status: "ok", sentence: `Postgres ${row?.version} answered in ${ms} ms and holds ${megabytes} MB.` }];
  },
};

/** Seconds between two clocks that go unnoticed, and that break waiting times. */
const differences = { warning: 2, failed: 30 };

export const clockCheck: Check = {
  name: "Clock",
  isOffline: false,
  run: async () => {
    const sent = Date.now();
    const [row] = await db().execute<{ ms: number }>(sql`select extract(epoch from clock_timestamp()) * 1000 as ms`);
    // The database read its clock about half-way between the request and the answer.
    const difference = Math.abs(Number(row?.ms) - (sent + Date.now()) / 2) / 1_000;
    const sentence = `The clocks of this process and of the database differ by ${difference.toFixed(1)} s.`;
    if (difference < differences.warning) return [{ name: "Clock", status: "ok", sentence }];
    const status = difference < differences.failed ? "warning" : "failed";
    return [{ name: "Clock", status, sentence, wayOut: "Synchronise the clocks of both machines, for example with chrony." }];
  },
};
