import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect } from "@/db/client";
import { databaseUrl, db } from "@/server/platform/database/database";
import { bootId, newId } from "@/server/platform/ids";
import { useTestDatabase } from "@/server/testing/test-database";
import { holdPresence, isReplicaGone, tryLock } from "./presence";

useTestDatabase();

let leave = async () => {};
beforeAll(async () => {
  leave = await holdPresence();
});
afterAll(() => leave());

/** Checks whether another session could take this lock. */
async function isFree(name: string): Promise<boolean> {
  const [row] = await db().execute<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as free`);
  return row?.free ?? false;
}

/** Another replica as the database sees it: a session that holds the lock of its boot. */
async function otherReplica() {
  const name = newId();
  const session = connect(databaseUrl(), { max: 1 }).pool;
  await session`select pg_advisory_lock(hashtextextended(${name}, 0))`;
  return { name, die: () => session.end({ timeout: 0 }) };
}

test("a replica is there for as long as its connection is, and away the moment it is gone", async () => {
  const other = await otherReplica();
  expect(await isReplicaGone(other.name)).toBe(false);
  // Asked again, because the first check must not take the lock.
  expect(await isReplicaGone(other.name)).toBe(false);
  await other.die();
  await vi.waitFor(async () => expect(await isReplicaGone(other.name)).toBe(true));
  expect(await isReplicaGone(bootId())).toBe(false);
  expect(await isFree(bootId())).toBe(false);
});

test("a lock that another replica holds is not to be had; ours is let go when we say so", async () => {
  const other = await otherReplica();
  expect(await tryLock(other.name)).toBeNull();
  const unlock = await tryLock("ours");
  expect(await isFree("ours")).toBe(false);
  unlock?.();
  await vi.waitFor(async () => expect(await isFree("ours")).toBe(true));
  await other.die();
});

test("when the connection breaks, presence and held locks are taken again by themselves", async () => {
  const unlock = await tryLock("kept");
  await db().execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'handrail presence'`);
  await vi.waitFor(async () => {
    expect(await isFree(bootId())).toBe(false);
    expect(await isFree("kept")).toBe(false);
  });
  unlock?.();
  await vi.waitFor(async () => expect(await isFree("kept")).toBe(true));
});
