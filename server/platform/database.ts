import "server-only";
import { connect } from "@/db/client";
import { env } from "./env";
import { processWide } from "./process-wide";

export function databaseUrl(): string {
  const url = env().databaseUrl;
  if (!url) throw new Error("DATABASE_URL is not set; npm start sets it for the embedded Postgres");
  return url;
}

const connection = () => processWide("database", () => connect(databaseUrl()));

/** The database of this process. */
export const db = () => connection().db;

/** The driver underneath, for LISTEN and for streaming cursors. */
export const postgresPool = () => connection().pool;

/** Groups of turns that are written at the same time. */
export const writersBeside = 2;

/**
 * A small pool of its own for one kind of statement: the one that writes turns, which comes thousands of times a second.
 * Its plan is made once a connection and looks rows up by their keys, however many there are: made for each writing, or
 * while the tables are still small, the plan would cost more than the writing.
 */
export const writerPool = () =>
  processWide(
    "writerDatabase",
    () =>
      connect(databaseUrl(), {
        max: writersBeside,
        name: "handrail-writer",
        session: {
          plan_cache_mode: "force_generic_plan",
          enable_seqscan: "off",
          enable_hashjoin: "off",
          enable_mergejoin: "off",
          jit: "off",
        },
      }).pool,
  );

/** Closes every connection, of pools that were never used too; waits for what is under way, 5 seconds at most. */
export async function closeDatabase(): Promise<void> {
  await Promise.all([postgresPool(), writerPool()].map((pool) => pool.end({ timeout: 5 })));
}
