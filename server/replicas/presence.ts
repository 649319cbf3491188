import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { connect } from "@/db/client";
import { databaseUrl, db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";

type Connection = ReturnType<typeof connect>["pool"];
type Presence = {
  connection: Connection | null;
  /** Names of the locks that `tryLock` took, each with the session that holds the lock, because a session must not take a lock twice. */
  held: Map<string, number>;
  /** Number of sessions that have ended, which identifies the current session. */
  session: number;
};

const retryMs = 200;
const presence = () => processWide<Presence>("presence", () => ({ connection: null, held: new Map(), session: 0 }));

/**
 * Opens a dedicated connection whose session holds this replica's advisory locks: one on the boot id for the life of
 * the process, and those of `tryLock`. Postgres releases the locks when the process dies in any way, so no heartbeat
 * or clock is needed. The connection is dedicated because pooled connections are recycled. When the connection breaks,
 * a new session takes every lock again.
 * @returns a function that releases all locks
 */
export async function holdPresence(): Promise<() => Promise<void>> {
  const state = presence();
  let stopped = false;
  let isRetaking = false;
  const onclose = () => {
    state.session += 1;
    void retake();
  };
  const connection = connect(databaseUrl(), { max: 1, onclose, name: "handrail presence" }).pool;
  const take = async () => {
    // Never waits: while Postgres has not noticed the end of our old session, waiting for one lock would delay all others.
    const [present] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${bootId()}, 0)) as taken`;
    if (!present?.taken) throw new Error("an earlier session of this replica still holds its lock");
    for (const name of [...state.held.keys()]) {
      const { session } = state;
      // Skip a lock that was released meanwhile or is already taken in this session. A session counts its lock
      // requests, so a lock taken twice would survive one unlock.
      if ((state.held.get(name) ?? session) === session) continue;
      const [row] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as taken`;
      if (!row?.taken) log().warn({ name }, "a lock was lost with its connection, and another replica has it now");
      if (state.held.has(name)) state.held.set(name, session);
    }
  };
  // One loop at a time: each failed attempt closes a connection, and `onclose` would start another loop.
  const retake = async (): Promise<void> => {
    if (isRetaking) return;
    isRetaking = true;
    for (let taken = -1; !stopped && taken !== state.session; ) {
      const { session } = state;
      try {
        await take();
        taken = session;
      } catch (error) {
        log().debug({ err: error }, "this replica's locks are not held yet");
        await pause(retryMs, undefined, { ref: false });
      }
    }
    isRetaking = false;
  };
  await take();
  state.connection = connection;
  return async () => {
    stopped = true;
    state.connection = null;
    await connection.end({ timeout: 1 });
  };
}

/**
 * Takes an advisory lock that no other replica can hold while this process lives. Does not exclude other callers in this process.
 * @returns a function that releases the lock, or null when another replica holds it
 */
export async function tryLock(name: string): Promise<(() => void) | null> {
  const state = presence();
  const { connection, held } = state;
  // Without `holdPresence` (tests, scripts) there is no other replica to exclude.
  if (!connection) return () => {};
  const [row] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as taken`;
  if (!row?.taken) return null;
  held.set(name, state.session);
  return () => {
    held.delete(name);
    connection`select pg_advisory_unlock(hashtextextended(${name}, 0))`.catch((error) =>
      log().warn({ err: error }, "a lock goes with its connection"),
    );
  };
}

/** Checks whether no session holds the lock of this boot id now. */
export async function isReplicaGone(otherBootId: string): Promise<boolean> {
  if (otherBootId === bootId()) return false;
  const [row] = await db().execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(hashtextextended(${otherBootId}, 0)) as free`,
  );
  return row?.free ?? false;
}
