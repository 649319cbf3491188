import { asc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { artifacts, auditEvents, toolCalls, turnEvents, turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { bootId, newId } from "@/server/platform/ids";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { liveTurn } from "@/server/testing/turns/live-turns";
import { type LiveTurn, moveCall, storedTurn } from "../live-turn";
import { loadTurn } from "../read/load-turn";
import { refreshTurn } from "../recovery/refresh-turn";
import { finishTurn } from "../transitions/finish-turn";
import { settleCall } from "../transitions/settle-call";
import { saveAlongside, saveTurn } from "./save-turn";

useTestDatabase();

let built: BuiltWorkspace;
let conversationId: string;
beforeEach(async () => {
  built = await buildWorkspace();
  conversationId = (await buildConversation(built.agentKey)).id;
});

const started = () => ({ startedBy: bootId(), startedAt: new Date() });

/** A stored turn whose calls run. */
async function runningTurn(names: readonly string[] = ["look"]): Promise<LiveTurn> {
  const live = liveTurn(built.agentKey, conversationId, names);
  for (const call of live.calls) moveCall(live, call, "running", started());
  expect(await saveTurn(live)).toBe(true);
  return live;
}

/** Loads the same turn a second time, as another owner would hold it. */
async function again(live: LiveTurn): Promise<LiveTurn> {
  const loaded = await loadTurn(live.turn.id);
  if (!loaded) throw new Error("not stored");
  return storedTurn(loaded.turn, loaded.calls);
}

const succeed = (live: LiveTurn, place = 0, text = "done") =>
  settleCall(live, { callId: live.calls[place]?.id ?? "", status: "succeeded", text });
const journal = ({ turn }: LiveTurn) => db().select().from(turnEvents).where(eq(turnEvents.turnId, turn.id)).orderBy(asc(turnEvents.seq));
const audit = ({ turn }: LiveTurn) => db().select().from(auditEvents).where(eq(auditEvents.turnId, turn.id));
const callsOf = ({ turn }: LiveTurn) => db().select().from(toolCalls).where(eq(toolCalls.turnId, turn.id)).orderBy(asc(toolCalls.position));
const rowOf = async ({ turn }: LiveTurn) => (await db().select().from(turns).where(eq(turns.id, turn.id)))[0];

test("a turn that is over before anybody could watch it is one row with its calls and its audit, and no journal", async () => {
  const live = liveTurn(built.agentKey, conversationId, ["look", "change"]);
  for (const call of live.calls) moveCall(live, call, "running", started());
  await succeed(live, 0);
  await succeed(live, 1);
  finishTurn(live);
  expect(await saveTurn(live)).toBe(true);
  expect((await callsOf(live)).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  expect(await audit(live)).toHaveLength(2);
  expect(await journal(live)).toEqual([]);
  expect(await rowOf(live)).toMatchObject({ status: "completed", eventCount: 0, claimedBy: null });
});

test("a save writes every change at once, and the journal goes on where it stood", async () => {
  const live = await runningTurn();
  await succeed(live);
  finishTurn(live);
  expect(await saveTurn(live)).toBe(true);
  expect((await journal(live)).map(({ seq, event }) => `${seq} ${event}`)).toEqual([
    "1 turn.started",
    "2 call.finished",
    "3 turn.finished",
  ]);
  expect(await audit(live)).toMatchObject([{ event: "call.succeeded" }]);
});

test("two turns that wait together are written separately: one under a taken key changes nothing of the other", async () => {
  const keyed = () => liveTurn(built.agentKey, conversationId, ["look"], { idempotencyKey: "k" });
  const [first, second, other] = [keyed(), keyed(), liveTurn(built.agentKey, conversationId, ["look"])];
  const saved = await Promise.all([first, second, other].map((live) => saveTurn(live)));
  expect(saved.filter(Boolean)).toHaveLength(2);
  expect(saved[2]).toBe(true);
  expect(await refreshTurn(saved[0] ? second : first)).toBe("missing");
});

test("a turn of a deleted conversation fails alone", async () => {
  const lost = liveTurn(built.agentKey, newId(), ["look"]);
  const fine = liveTurn(built.agentKey, conversationId, ["look"]);
  const [a, b] = await Promise.allSettled([saveTurn(lost), saveTurn(fine)]);
  expect(a).toMatchObject({ status: "rejected" });
  expect(b).toEqual({ status: "fulfilled", value: true });
  expect(lost.unsaved.calls.size).toBe(1);
});

test("a turn that another replica has claimed is not written", async () => {
  const live = await runningTurn();
  await db().update(turns).set({ claimedBy: newId(), version: 1 }).where(eq(turns.id, live.turn.id));
  await succeed(live);
  expect(await saveTurn(live)).toBe(false);
  expect(await callsOf(live)).toMatchObject([{ status: "running" }]);
  expect(await refreshTurn(live)).toBe("lost");
});

test("a cancellation that came meanwhile is seen before anything is written, and then everything is", async () => {
  const live = await runningTurn();
  await db().update(turns).set({ cancelRequestedAt: new Date(), version: 1 }).where(eq(turns.id, live.turn.id));
  await succeed(live);
  expect(await saveTurn(live)).toBe(false);
  expect(await refreshTurn(live)).toBe("ours");
  expect(live.turn.cancelRequestedAt).not.toBeNull();
  finishTurn(live);
  expect(await saveTurn(live)).toBe(true);
  expect(await rowOf(live)).toMatchObject({ status: "cancelled" });
  expect(await audit(live)).toMatchObject([{ event: "call.succeeded" }]);
});

test("a call that is no longer what we thought holds back everything that would be written with it", async () => {
  const live = await runningTurn(["look", "look"]);
  const other = await again(live);
  await succeed(other, 0, "theirs");
  expect(await saveTurn(other)).toBe(true);
  await succeed(live, 0, "ours");
  await succeed(live, 1, "ours");
  expect(await saveTurn(live)).toBe(false);
  expect(await callsOf(live)).toMatchObject([{ content: "theirs" }, { status: "running" }]);
});

test("a change that was written, and whose answer got lost, is told once", async () => {
  const live = await runningTurn(["look", "look"]);
  const twin = await again(live);
  await succeed(live, 0);
  await succeed(twin, 0);
  expect(await saveTurn(twin)).toBe(true);
  await succeed(live, 1);
  expect(await saveTurn(live)).toBe(false);
  expect(await refreshTurn(live)).toBe("ours");
  expect(await saveTurn(live)).toBe(true);
  expect((await journal(live)).map(({ seq, event }) => `${seq} ${event}`)).toEqual([
    "1 turn.started",
    "2 call.finished",
    "3 call.finished",
  ]);
  expect(await audit(live)).toHaveLength(2);
});

test("rows beside a turn are written with it or not at all, and a refused transaction leaves the turn as it was", async () => {
  const live = await runningTurn();
  const before = { status: live.calls[0]?.status, unsaved: live.unsaved.calls.size };
  const refused = saveAlongside(live, {
    change: () => succeed(live),
    write: async () => {
      throw new Error("no");
    },
  });
  await expect(refused).rejects.toThrow("no");
  expect({ status: live.calls[0]?.status, unsaved: live.unsaved.calls.size }).toEqual(before);
  expect(await callsOf(live)).toMatchObject([{ status: "running" }]);
  expect(await saveAlongside(live, { change: () => succeed(live), write: async () => {} })).toBe(true);
  expect(await audit(live)).toHaveLength(1);
});

test("a call that ended in a transaction whose answer got lost is taken over as it ended", async () => {
  const live = await runningTurn();
  const twin = await again(live);
  await succeed(twin, 0, "as written");
  expect(await saveTurn(twin)).toBe(true);
  expect(await refreshTurn(live)).toBe("ours");
  expect(live.calls[0]).toMatchObject({ status: "succeeded", content: "as written" });
  expect(await saveTurn(live)).toBe(true);
  expect(await audit(live)).toHaveLength(1);
});

test("a long result whose writing got no answer is kept once, and its turn goes on", async () => {
  const live = await runningTurn(["look", "look"]);
  const twin = await again(live);
  await succeed(live, 0, "long ".repeat(5_000));
  expect(live.unsaved.artifacts).toHaveLength(1);
  // The same write commits, and its answer is lost.
  Object.assign(twin, { calls: live.calls, unsaved: { ...live.unsaved, calls: new Set(live.unsaved.calls) } });
  expect(await saveTurn(twin)).toBe(true);
  expect(await saveTurn(live)).toBe(false);
  expect(await refreshTurn(live)).toBe("ours");
  await succeed(live, 1);
  finishTurn(live);
  expect(await saveTurn(live)).toBe(true);
  expect(await db().select().from(artifacts).where(eq(artifacts.conversationId, conversationId))).toHaveLength(1);
});

test("one of two concurrent writers of the same version of a turn succeeds, also when nothing is told of it", async () => {
  const live = await runningTurn(["look"]);
  const both = await Promise.all([again(live), again(live)]);
  for (const one of both) for (const call of one.calls) moveCall(one, call, "pending", { startedBy: null, startedAt: null });
  const saved = await Promise.all(both.map((one) => saveTurn(one)));
  expect(saved.filter(Boolean)).toHaveLength(1);
  expect(await rowOf(live)).toMatchObject({ version: 1 });
});
