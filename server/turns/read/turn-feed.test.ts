import { beforeEach, expect, test } from "vitest";
import { bootId, newId } from "@/server/platform/ids";
import { signalHere } from "@/server/platform/signals/bus";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { liveTurn } from "@/server/testing/turns/live-turns";
import { type LiveTurn, moveCall } from "../live-turn";
import { saveTurn } from "../save/save-turn";
import { finishTurn } from "../transitions/finish-turn";
import { settleCall } from "../transitions/settle-call";
import { callProgress, followProgress, forgetProgress, reportProgress } from "./call-progress";
import { isFullyStreamed, turnFeed } from "./turn-feed";
import { tellWatchers } from "./watch-turns";

useTestDatabase();

let built: BuiltWorkspace;
let conversationId: string;
beforeEach(async () => {
  built = await buildWorkspace();
  conversationId = (await buildConversation(built.agentKey)).id;
});

const neverAborted = new AbortController().signal;

function startedTurn(): LiveTurn {
  const live = liveTurn(built.agentKey, conversationId, ["look"]);
  for (const call of live.calls) moveCall(live, call, "running", { startedBy: bootId(), startedAt: new Date() });
  return live;
}

async function end(live: LiveTurn): Promise<void> {
  for (const { id } of live.calls) await settleCall(live, { callId: id, status: "succeeded", text: "done" });
  finishTurn(live);
  await saveTurn(live);
}

async function told(turnId: string, after: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const { id, event } of turnFeed(turnId, after, neverAborted)) lines.push(`${id} ${event}`);
  return lines;
}

test("a turn that has no journal is told from its rows, and a client that comes again goes on where it was", async () => {
  const live = startedTurn();
  await end(live);
  const { id } = live.turn;
  expect(await told(id, 0)).toEqual(["1 turn.started", "2 call.started", "3 call.finished", "4 turn.finished"]);
  expect(await told(id, 2)).toEqual(["3 call.finished", "4 turn.finished"]);
  expect(await told(id, 4)).toEqual([]);
  expect(await isFullyStreamed(id, 4)).toBe(true);
  expect(await isFullyStreamed(id, 3)).toBe(false);
});

test("a running turn's events come as they happen, its progress between them, and its end ends the stream", async () => {
  const live = startedTurn();
  await saveTurn(live);
  const { id } = live.turn;
  const feed = turnFeed(id, 0, neverAborted);
  expect((await feed.next()).value).toMatchObject({ id: "1", event: "turn.started" });
  const next = feed.next();
  reportProgress(id, live.calls[0]?.id ?? "", "page 1 of 2");
  expect((await next).value).toMatchObject({ event: "call.progress", data: { message: "page 1 of 2" } });
  const finished = feed.next();
  forgetProgress(id);
  await end(live);
  tellWatchers(id);
  expect((await finished).value).toMatchObject({ id: "2", event: "call.finished" });
  expect((await feed.next()).value).toMatchObject({ id: "3", event: "turn.finished" });
  expect((await feed.next()).done).toBe(true);
});

test("a turn that is gone with its conversation ends the stream", async () => {
  expect(await told(newId(), 0)).toEqual([]);
});

test("a client that leaves ends its stream", async () => {
  const live = startedTurn();
  await saveTurn(live);
  const client = new AbortController();
  const feed = turnFeed(live.turn.id, 1, client.signal);
  const next = feed.next();
  client.abort();
  expect((await next).done).toBe(true);
});

test("progress of another replica is kept only for turns that somebody follows here", async () => {
  followProgress();
  const live = startedTurn();
  await saveTurn(live);
  const { id: turnId } = live.turn;
  const line = { topic: "progress" as const, callId: newId(), message: "far away", by: newId() };
  signalHere({ ...line, turnId: newId() });
  signalHere({ ...line, turnId });
  expect(callProgress(turnId).size).toBe(0);
  const client = new AbortController();
  const feed = turnFeed(turnId, 1, client.signal);
  const next = feed.next();
  signalHere({ ...line, turnId, by: bootId() });
  expect(callProgress(turnId).size).toBe(0);
  signalHere({ ...line, turnId });
  expect((await next).value).toMatchObject({ event: "call.progress", data: { message: "far away" } });
  client.abort();
  await feed.return(undefined);
  forgetProgress(turnId);
});
