import "server-only";
import { sql } from "drizzle-orm";
import { connect } from "@/db/client";
import { databaseUrl, db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";

const retryMs = 1_000;

/**
 * Holds a session lock named after this boot for as long as the process lives. Postgres lets it go the moment the
 * process is gone, however it went: no heartbeat, no clock. A connection of its own, because a pooled one is recycled.
 * @returns a function that lets it go.
 */
export async function holdLiveness(): Promise<() => Promise<void>> {
  let stopped = false;
  const retake = () => {
    if (stopped) return;
    setTimeout(() => void take().catch((error) => log().warn({ err: error }, "the liveness lock is not held yet")), retryMs).unref();
  };
  const connection = connect(databaseUrl(), { max: 1, onclose: retake, name: "handrail liveness" }).pool;
  const take = () => connection`select pg_advisory_lock(hashtextextended(${bootId()}, 0))`;
  await take();
  return async () => {
    stopped = true;
    await connection.end({ timeout: 1 });
  };
}

/** Whether the replica with this boot id is gone for good. */
export async function isDead(otherBootId: string): Promise<boolean> {
  if (otherBootId === bootId()) return false;
  const [row] = await db().execute<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(hashtextextended(${otherBootId}, 0)) as free`);
  return row?.free ?? false;
}
