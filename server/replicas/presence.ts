import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { connect } from "@/db/client";
import { databaseUrl, db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";

type Connection = ReturnType<typeof connect>["pool"];
type Presence = {
  connection: Connection | null;
  /** Names of the locks that `tryLock` took, each with the session that holds it: a session counts how often it was asked. */
  held: Map<string, number>;
  /** Sessions that have ended so far. */
  session: number;
};

const retryMs = 200;
const presence = () => processWide<Presence>("presence", () => ({ connection: null, held: new Map(), session: 0 }));

/**
 * Opens the connection whose session holds this replica's locks: one named after its boot for as long as the process
 * lives, and those that `tryLock` takes. Postgres lets them go the moment the process is gone, however it went: no
 * heartbeat, no clock. A connection of its own, because a pooled one is recycled. When it breaks, a new one takes every
 * lock again.
 * @returns a function that lets all of them go.
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
    // Never waits: a session of ours that Postgres has not missed yet would hold up every other lock.
    const [present] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${bootId()}, 0)) as taken`;
    if (!present?.taken) throw new Error("an earlier session of this replica still holds its lock");
    for (const name of [...state.held.keys()]) {
      const { session } = state;
      // Let go meanwhile, or taken in this session already: taken twice, it would outlive being let go once.
      if ((state.held.get(name) ?? session) === session) continue;
      const [row] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as taken`;
      if (!row?.taken) log().warn({ name }, "a lock was lost with its connection, and another replica has it now");
      if (state.held.has(name)) state.held.set(name, session);
    }
  };
  // One at a time: each failed attempt closes a connection, and would begin another.
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
 * Takes a lock that no other replica holds while this one lives.
 * @returns a function that lets it go, or null when another replica holds it. Inside this process nobody is kept out.
 */
export async function tryLock(name: string): Promise<(() => void) | null> {
  const state = presence();
  const { connection, held } = state;
  // Alone with its database (tests, scripts): there is no other replica to keep out.
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

/** Whether the replica with this boot id is not there at this moment. */
export async function isAway(otherBootId: string): Promise<boolean> {
  if (otherBootId === bootId()) return false;
  const [row] = await db().execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(hashtextextended(${otherBootId}, 0)) as free`,
  );
  return row?.free ?? false;
}
