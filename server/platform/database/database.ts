import "server-only";
import { connect } from "@/db/client";
import { env } from "../env";
import { processWide } from "../process-wide";

export function databaseUrl(): string {
  const url = env().databaseUrl;
  if (!url) throw new Error("DATABASE_URL is not set; npm start sets it for the embedded Postgres");
  return url;
}

/** Milliseconds after which Postgres ends a statement, or its wait for a lock. The request then fails with a reason instead of hanging. */
const limits = { statement_timeout: "60000", lock_timeout: "5000" };
/** Shorter limits for the statement that writes turns, because it takes milliseconds and every caller waits for it. */
const writerLimits = { statement_timeout: "15000", lock_timeout: "2000" };

/** The most connections that statements share; the first caller may say another number. */
const connectionLimit = () => processWide("connectionLimit", () => 10);

const connection = () => processWide("database", () => connect(databaseUrl(), { max: connectionLimit(), session: limits }));

/** The database of this process. */
export const db = () => connection().db;

/** The underlying driver, for LISTEN and for streaming cursors. */
export const postgresPool = () => connection().pool;

/** The most groups of turns written at the same time. */
export const writersBeside = 2;

/**
 * A small pool for the statement that writes turns, which runs thousands of times a second. Its session plans the
 * statement once per connection and forces index look-ups, because planning each time, or for tables that are still
 * small, would cost more than the write.
 */
export const writerPool = () =>
  processWide(
    "writerDatabase",
    () =>
      connect(databaseUrl(), {
        max: writersBeside,
        name: "handrail-writer",
        session: {
          ...writerLimits,
          plan_cache_mode: "force_generic_plan",
          enable_seqscan: "off",
          enable_hashjoin: "off",
          enable_mergejoin: "off",
          jit: "off",
        },
      }).pool,
  );

/** Closes every connection, also of unused pools; waits at most 5 seconds for running queries. */
export async function closeDatabase(): Promise<void> {
  await Promise.all([postgresPool(), writerPool()].map((pool) => pool.end({ timeout: 5 })));
}
