import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { db } from "@/server/platform/database/database";
import { bootId, newId } from "@/server/platform/ids";
import { onTurnSignal, signalHere } from "@/server/platform/signals/bus";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { liveTurn } from "@/server/testing/turns/live-turns";
import { saveTurn } from "../save/save-turn";
import { isWatchedElsewhere, isWatchedHere, startWatching, watchTurn } from "./watch-turns";

useTestDatabase();

let built: BuiltWorkspace;
beforeAll(async () => {
  built = await buildWorkspace();
});
// Only the interval is fake: the test decides when rows are read, and Postgres is real.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

async function storedTurn(): Promise<string> {
  const { id } = await buildConversation(built.agentKey);
  const live = liveTurn(built.agentKey, id, ["look"]);
  await saveTurn(live);
  return live.turn.id;
}

/** Starts the next read of the rows, and waits for its signal. */
async function heard(turnId: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const off = onTurnSignal(turnId, () => resolve());
  vi.advanceTimersByTime(1_000);
  await promise;
  off();
}

const change = (turnId: string) => db().execute(sql`update turns set event_count = event_count + 1 where id = ${turnId}`);

test("a signal that gets lost costs one look, also when it was about what changed before the first one", async () => {
  const turnId = await storedTurn();
  const unwatch = watchTurn(turnId);
  await change(turnId);
  await heard(turnId);
  await change(turnId);
  await heard(turnId);
  await db().execute(sql`delete from turns where id = ${turnId}`);
  await heard(turnId);
  unwatch();
});

test("a turn is watched until its last watcher has gone, and nothing is looked at when nobody watches", async () => {
  const turnId = await storedTurn();
  const [first, second] = [watchTurn(turnId), watchTurn(turnId)];
  first();
  expect(isWatchedHere(turnId)).toBe(true);
  await heard(turnId);
  second();
  expect(isWatchedHere(turnId)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test("other replicas are told for a minute after they asked; our own question is not another's", () => {
  startWatching();
  const [theirs, ours] = [newId(), newId()];
  signalHere({ topic: "watch", turnIds: [theirs], by: newId() });
  signalHere({ topic: "watch", turnIds: [ours], by: bootId() });
  expect(isWatchedElsewhere(theirs)).toBe(true);
  expect(isWatchedElsewhere(ours)).toBe(false);
  const later = Date.now() + 66_000;
  const clock = vi.spyOn(Date, "now").mockReturnValue(later);
  expect(isWatchedElsewhere(theirs)).toBe(false);
  clock.mockRestore();
});
