import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { signalHere } from "@/server/platform/signals/bus";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { liveTurn } from "@/server/testing/turns/live-turns";
import { registerTurnTask } from "../active-turns";
import { type LiveTurn, moveCall, moveTurn, storedTurn } from "../live-turn";
import { saveAlongside, saveTurn } from "../save/save-turn";
import { finishTurn } from "../transitions/finish-turn";
import { settleCall } from "../transitions/settle-call";
import { loadTurn } from "./load-turn";
import { restsWithin, waitForTurn } from "./wait-for-turn";
import { isWatchedHere, tellWatchers } from "./watch-turns";

useTestDatabase();

let built: BuiltWorkspace;
let live: LiveTurn;
beforeEach(async () => {
  built = await buildWorkspace();
  live = liveTurn(built.agentKey, (await buildConversation(built.agentKey)).id, ["look"]);
  for (const call of live.calls) moveCall(live, call, "running", { startedBy: bootId(), startedAt: new Date() });
  await saveTurn(live);
});

const neverAborted = new AbortController().signal;

async function end(): Promise<void> {
  for (const { id } of live.calls) await settleCall(live, { callId: id, status: "succeeded", text: "done" });
  finishTurn(live);
  await saveTurn(live);
}

test("a waiting request is answered when the turn ends, and leaves nothing behind", async () => {
  const waiting = waitForTurn(live.turn.id, 10, neverAborted);
  await end();
  tellWatchers(live.turn.id);
  expect(await waiting).toMatchObject({ status: "completed", calls: [{ content: "done" }] });
  expect(isWatchedHere(live.turn.id)).toBe(false);
});

test("a question that is not committed is told nobody, whatever the memory of this process says", async () => {
  const { promise: rested, resolve: rest } = Promise.withResolvers<void>();
  registerTurnTask({ live, cancelled: new AbortController(), known: Promise.resolve(), rested });
  const waiting = waitForTurn(live.turn.id, 10, neverAborted);
  const asking = saveAlongside(live, {
    change: () => moveTurn(live, "suspended", { claimedBy: null }),
    write: async () => {
      signalHere({ topic: "turn", turnId: live.turn.id, seen: true });
      for (let looks = 0; looks < 3; looks += 1) await loadTurn(live.turn.id);
      throw new Error("the database is away");
    },
  });
  await expect(asking).rejects.toThrow("away");
  await end();
  tellWatchers(live.turn.id, { rests: true });
  expect((await waiting).status).toBe("completed");
  rest();
});

test("an end that nobody tells of is found by looking", async () => {
  const waiting = waitForTurn(live.turn.id, 10, neverAborted);
  await end();
  expect((await waiting).status).toBe("completed");
});

test("a turn that is over answers at once, one that goes on when the time is up or the client leaves", async () => {
  expect((await waitForTurn(live.turn.id, 0, neverAborted)).status).toBe("running");
  expect((await waitForTurn(live.turn.id, 10, AbortSignal.abort())).status).toBe("running");
  await end();
  expect((await waitForTurn(live.turn.id, 10, neverAborted)).status).toBe("completed");
});

describe("a turn that seems to go on here", () => {
  const rested = Promise.withResolvers<void>();
  beforeEach(() => registerTurnTask({ live, cancelled: new AbortController(), known: Promise.resolve(), rested: rested.promise }));
  afterAll(() => rested.resolve());

  test("and was ended by others keeps nobody waiting who waits for it here", async () => {
    const waiting = waitForTurn(live.turn.id, 600, neverAborted);
    const loaded = await loadTurn(live.turn.id);
    if (!loaded) throw new Error("not stored");
    const theirs = storedTurn(loaded.turn, loaded.calls);
    for (const { id } of theirs.calls) await settleCall(theirs, { callId: id, status: "succeeded", text: "theirs" });
    finishTurn(theirs);
    await saveTurn(theirs);
    expect(await waiting).toMatchObject({ status: "completed", calls: [{ content: "theirs" }] });
  });

  test("and was deleted keeps nobody waiting either", async () => {
    const waiting = waitForTurn(live.turn.id, 600, neverAborted);
    waiting.catch(() => {});
    await db().delete(turns).where(eq(turns.id, live.turn.id));
    await expect(waiting).rejects.toMatchObject({ code: "not_found" });
  });
});

test("a turn that is deleted meanwhile is not found any more", async () => {
  const waiting = waitForTurn(live.turn.id, 10, neverAborted);
  waiting.catch(() => {});
  await db().delete(turns).where(eq(turns.id, live.turn.id));
  tellWatchers(live.turn.id);
  await expect(waiting).rejects.toMatchObject({ code: "not_found" });
  expect(isWatchedHere(live.turn.id)).toBe(false);
});

test("waiting for work hears how it ended, also when it failed", async () => {
  expect(await restsWithin(Promise.resolve(), 10, neverAborted)).toBe(true);
  expect(await restsWithin(new Promise(() => {}), 0, neverAborted)).toBe(false);
  await expect(restsWithin(Promise.reject(new Error("broken")), 10, neverAborted)).rejects.toThrow("broken");
});
