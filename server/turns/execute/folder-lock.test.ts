import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "@/db/client";
import { databaseUrl } from "@/server/platform/database/database";
import { holdPresence } from "@/server/replicas/presence";
import { useTestDatabase } from "@/server/testing/test-database";
import { withFolderLock } from "./folder-lock";

useTestDatabase();

let leave = async () => {};
beforeAll(async () => {
  leave = await holdPresence();
});
afterAll(() => leave());

const neverAborted = new AbortController().signal;
const noWaiting = async () => {};

/** Work that logs its begin and runs until the test ends it. */
function heldWork(name: string, log: string[]) {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const run = async () => {
    log.push(`${name} begins`);
    begin();
    await mayEnd;
    log.push(`${name} ends`);
  };
  return { run, begun, end };
}

test("work in one folder happens one after the other, who asked first goes first; another folder does not wait", async () => {
  const log: string[] = [];
  const [a, b, c] = ["a", "b", "c"].map((name) => heldWork(name, log));
  if (!a || !b || !c) throw new Error("no work");
  const inLine = [a, b].map(({ run }) => withFolderLock("one", { beforeWaiting: noWaiting, signal: neverAborted, run }));
  const beside = withFolderLock("two", { beforeWaiting: noWaiting, signal: neverAborted, run: c.run });
  await Promise.all([a.begun, c.begun]);
  b.end();
  c.end();
  await beside;
  expect(log).not.toContain("b begins");
  a.end();
  await Promise.all(inLine);
  expect(log.filter((line) => !line.startsWith("c"))).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

test("a call that is cancelled in line leaves at once, and the others still go one after the other", async () => {
  const log: string[] = [];
  const [a, c] = ["a", "c"].map((name) => heldWork(name, log));
  if (!a || !c) throw new Error("no work");
  const cancelled = new AbortController();
  const first = withFolderLock("folder", { beforeWaiting: noWaiting, signal: neverAborted, run: a.run });
  const second = withFolderLock("folder", { beforeWaiting: noWaiting, signal: cancelled.signal, run: async () => log.push("b ran") });
  await a.begun;
  cancelled.abort(new Error("cancelled"));
  await expect(second).rejects.toThrow("cancelled");
  const third = withFolderLock("folder", { beforeWaiting: noWaiting, signal: neverAborted, run: c.run });
  c.end();
  a.end();
  await Promise.all([first, third]);
  expect(log).toEqual(["a begins", "a ends", "c begins", "c ends"]);
});

test("a folder that another replica holds is waited for; what waits is written first, and it goes on when the replica is gone", async () => {
  const other = connect(databaseUrl(), { max: 1 }).pool;
  await other`select pg_advisory_lock(hashtextextended(${"folder shared"}, 0))`;
  const log: string[] = [];
  const { promise: waits, resolve: tell } = Promise.withResolvers<void>();
  const beforeWaiting = async () => {
    log.push("waits");
    tell();
  };
  const work = withFolderLock("shared", { beforeWaiting, signal: neverAborted, run: async () => log.push("runs") });
  await waits;
  expect(log).toEqual(["waits"]);
  // The other process dies: its connection ends without releasing the lock.
  await other.end({ timeout: 0 });
  await work;
  expect(log).toEqual(["waits", "runs"]);
});

test("a turn that is cancelled while another replica holds the folder stops waiting", async () => {
  const other = connect(databaseUrl(), { max: 1 }).pool;
  await other`select pg_advisory_lock(hashtextextended(${"folder kept"}, 0))`;
  const cancelled = new AbortController();
  const { promise: waits, resolve: tell } = Promise.withResolvers<void>();
  const work = withFolderLock("kept", { beforeWaiting: async () => tell(), signal: cancelled.signal, run: async () => {} });
  await waits;
  cancelled.abort();
  await expect(work).rejects.toThrow();
  await other.end({ timeout: 0 });
});
